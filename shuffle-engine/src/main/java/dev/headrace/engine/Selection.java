package dev.headrace.engine;

import dev.headrace.exchange.PartitionPlan;
import dev.headrace.exchange.PlannedEntry;
import dev.headrace.partition.Chance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of some buckets whose random words lie in one of {@code parts} equal intervals, and their order. One thread. */
final class Selection {
    private final long seed;
    private final int part;
    private final int parts;
    private final List<PlannedEntry> entries = new ArrayList<>();
    private final List<Integer> entryEnds = new ArrayList<>();
    private final List<Integer> bucketEnds = new ArrayList<>();
    private long[] words = new long[1_024];
    private int[] rows = new int[1_024];
    private int count;

    Selection(long seed, int part, int parts) {
        this.seed = seed;
        this.part = part;
        this.parts = parts;
    }

    /** Whether the entry is a single row so large that it is handed out as it lies, in a group of its own. */
    static boolean isAlone(PlannedEntry entry) {
        return entry.stored().rows() == 1 && entry.stored().bytes() > EngineConfig.SLAB_BYTES;
    }

    /** Adds the rows of the next bucket. */
    void add(PartitionPlan bucket) {
        for (PlannedEntry entry : bucket.entries()) {
            long state = Chance.ofEntry(seed, bucket.partition(), entry.batch(), entry.piece(), entry.block());
            reserve(entry.rows());
            for (int i = 0; i < entry.rows(); i++) {
                long word = Chance.at(state, i);
                words[count] = word;
                rows[count] = Math.toIntExact(entry.start() + i);
                count += parts == 1 || Math.unsignedMultiplyHigh(word, parts) == part ? 1 : 0;
            }
            entries.add(entry);
            entryEnds.add(count);
        }
        bucketEnds.add(count);
    }

    private void reserve(int more) {
        if (count + more > words.length) {
            int length = Math.max(count + more, 2 * words.length);
            words = Arrays.copyOf(words, length);
            rows = Arrays.copyOf(rows, length);
        }
    }

    int count() {
        return count;
    }

    List<PlannedEntry> entries() {
        return entries;
    }

    /** The first selected row of an entry; that of the entry after the last is the number of rows. */
    int start(int entry) {
        return entry == 0 ? 0 : entryEnds.get(entry - 1);
    }

    /** For each selected row its row in the block of its entry: the array itself. */
    int[] rows() {
        return rows;
    }

    /** The numbers of the selected rows, bucket after bucket, in each by their words. */
    int[] order() {
        int[] order = new int[count];
        long[] packed = new long[count];
        int start = 0;
        for (int end : bucketEnds) {
            sort(start, end, packed, order);
            start = end;
        }
        return order;
    }

    /** Sorts words whose low bits make room for row numbers, then looks at the low bits where the others are equal. */
    private void sort(int start, int end, long[] packed, int[] order) {
        long mask = start == end ? 0 : (1L << (Long.SIZE - Long.numberOfLeadingZeros(end - start))) - 1;
        for (int i = start; i < end; i++) {
            packed[i] = ((words[i] ^ Long.MIN_VALUE) & ~mask) | (i - start);
        }
        Arrays.sort(packed, start, end);
        for (int i = start; i < end; i++) {
            int row = start + (int) (packed[i] & mask);
            int at = i;
            for (; at > start && Long.compareUnsigned(words[order[at - 1]], words[row]) > 0; at--) {
                order[at] = order[at - 1];
            }
            order[at] = row;
        }
    }
}
