package dev.headrace.exchange;

/**
 * Who assembles which partition: rank r owns the partitions from {@code ceil(r * P / R)} up to, not including,
 * {@code ceil((r + 1) * P / R)}. Contiguous, so that rows grouped by partition are grouped by owner as well. Immutable;
 * any thread.
 */
public record Owners(int partitions, int ranks) {

    /** The first partition of the rank, or {@link #end} if it has none. */
    public int first(int rank) {
        return Math.toIntExact(((long) rank * partitions + ranks - 1) / ranks);
    }

    /** One past the last partition of the rank. */
    public int end(int rank) {
        return first(rank + 1);
    }

    /** How many partitions the rank has; 0 for some if there are more ranks than partitions. */
    public int count(int rank) {
        return end(rank) - first(rank);
    }

    /** The rank that has the partition. */
    public int ownerOf(int partition) {
        return Math.toIntExact((long) partition * ranks / partitions);
    }
}
