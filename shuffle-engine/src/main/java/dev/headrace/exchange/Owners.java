package dev.headrace.exchange;

/**
 * Who assembles which partition: rank r owns the partitions from {@code ceil(r * P / R)} up to, not including,
 * {@code ceil((r + 1) * P / R)}. Contiguous, so that rows grouped by partition are grouped by owner as well. Immutable;
 * any thread.
 *
 * <p>A shuffle may divide each partition into buckets. Between ranks every bucket is then a partition of its own, with
 * the number {@code partition * buckets + bucket}, and the rank that owns a partition owns all its buckets.
 */
public record Owners(int partitions, int ranks, int buckets) {

    /** Partitions that are not divided. */
    public Owners(int partitions, int ranks) {
        this(partitions, ranks, 1);
    }

    /** How many numbers there are: partitions times buckets. */
    public int numbers() {
        return Math.multiplyExact(partitions, buckets);
    }

    /** The first number of the rank, or {@link #end} if it has none. */
    public int first(int rank) {
        return Math.toIntExact(((long) rank * partitions + ranks - 1) / ranks * buckets);
    }

    /** One past the last number of the rank. */
    public int end(int rank) {
        return first(rank + 1);
    }

    /** How many numbers the rank has; 0 for some if there are more ranks than partitions. */
    public int count(int rank) {
        return end(rank) - first(rank);
    }

    /** The rank that has the number. */
    public int ownerOf(int number) {
        return Math.toIntExact((long) (number / buckets) * ranks / partitions);
    }

    /** What errors call the number. */
    String name(int number) {
        return "partition " + number / buckets + (buckets == 1 ? "" : ", bucket " + number % buckets);
    }
}
