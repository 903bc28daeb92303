package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;

/** The entries of a block, read from its first {@link #prefixBytes} alone; immutable as long as the bytes are. */
public final class EntryPrefix {
    private final MemorySegment bytes;
    private final long[] starts;

    private EntryPrefix(MemorySegment bytes, long[] starts) {
        this.bytes = bytes;
        this.starts = starts;
    }

    /** How many bytes of a block with that many entries have to be there. */
    public static long prefixBytes(int entries) {
        return BlockFormat.nodesOffset(entries);
    }

    /** Reads the table; CORRUPT_DATA if the bytes are no block or hold fewer entries than it says. */
    public static EntryPrefix read(MemorySegment prefix) {
        if (prefix.byteSize() < BlockFormat.HEADER_BYTES
                || prefix.get(INT, BlockFormat.MAGIC_AT) != BlockFormat.MAGIC
                || prefix.byteSize() < prefixBytes(prefix.get(INT, BlockFormat.ENTRIES_AT))) {
            throw HeadraceException.corruptData("no block here, only " + prefix.byteSize() + " other bytes");
        }
        long[] starts = new long[prefix.get(INT, BlockFormat.ENTRIES_AT) + 1];
        for (int i = 0; i + 1 < starts.length; i++) {
            starts[i + 1] = starts[i] + prefix.get(INT, entryAt(i) + BlockFormat.ROWS_IN_ENTRY);
        }
        return new EntryPrefix(prefix, starts);
    }

    public int count() {
        return starts.length - 1;
    }

    public Entry entry(int i) {
        long at = entryAt(i);
        return new Entry(
                bytes.get(LONG, at + BlockFormat.BATCH_IN_ENTRY),
                bytes.get(INT, at + BlockFormat.PIECE_IN_ENTRY),
                bytes.get(INT, at + BlockFormat.BLOCK_IN_ENTRY),
                bytes.get(INT, at + BlockFormat.PARTITION_IN_ENTRY),
                bytes.get(INT, at + BlockFormat.ROWS_IN_ENTRY));
    }

    public int partitionAt(int i) {
        return bytes.get(INT, entryAt(i) + BlockFormat.PARTITION_IN_ENTRY);
    }

    /** The first row of entry i in its block. */
    public long entryStart(int i) {
        return starts[i];
    }

    private static long entryAt(int i) {
        return BlockFormat.HEADER_BYTES + BlockFormat.ENTRY_BYTES * i;
    }
}
