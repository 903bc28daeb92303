package dev.headrace.exchange;

import dev.headrace.pack.Entry;
import java.util.Comparator;

/**
 * One entry of a partition and where its rows lie; immutable.
 *
 * @param start the first row of the entry in its block
 */
public record PlannedEntry(long batch, int piece, int block, int rows, StoredBlock stored, long start)
        implements Comparable<PlannedEntry> {

    private static final Comparator<PlannedEntry> ORDER = Comparator.comparingLong(PlannedEntry::batch)
            .thenComparingInt(PlannedEntry::piece)
            .thenComparingInt(PlannedEntry::block);

    static PlannedEntry of(Entry entry, StoredBlock stored, long start) {
        return new PlannedEntry(entry.batch(), entry.piece(), entry.block(), entry.rows(), stored, start);
    }

    @Override
    public int compareTo(PlannedEntry other) {
        return ORDER.compare(this, other);
    }

    /** About how many bytes of its block the entry takes up. */
    public long estimatedBytes() {
        return stored.bytes() * rows / Math.max(1, stored.rows());
    }
}
