package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The entries of a block under construction, in arrays that are kept from block to block. One thread. */
final class EntryTable {
    private long[] batches = new long[16];
    private int[] numbers = new int[64];
    private int count;
    private long rows;

    void reset() {
        count = 0;
        rows = 0;
    }

    int count() {
        return count;
    }

    /** Rows of all entries together. */
    long rows() {
        return rows;
    }

    void add(long batch, int piece, int block, int partition, int entryRows) {
        if (count == batches.length) {
            batches = Arrays.copyOf(batches, count * 2);
            numbers = Arrays.copyOf(numbers, count * 8);
        }
        batches[count] = batch;
        int at = count * 4;
        numbers[at] = piece;
        numbers[at + 1] = block;
        numbers[at + 2] = partition;
        numbers[at + 3] = entryRows;
        count++;
        rows += entryRows;
    }

    void write(MemorySegment target, long start) {
        for (int i = 0; i < count; i++) {
            long at = start + i * BlockFormat.ENTRY_BYTES;
            target.set(LONG, at + BlockFormat.BATCH_IN_ENTRY, batches[i]);
            target.set(INT, at + BlockFormat.PIECE_IN_ENTRY, numbers[4 * i]);
            target.set(INT, at + BlockFormat.BLOCK_IN_ENTRY, numbers[4 * i + 1]);
            target.set(INT, at + BlockFormat.PARTITION_IN_ENTRY, numbers[4 * i + 2]);
            target.set(INT, at + BlockFormat.ROWS_IN_ENTRY, numbers[4 * i + 3]);
        }
    }
}
