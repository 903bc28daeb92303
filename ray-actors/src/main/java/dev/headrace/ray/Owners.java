package dev.headrace.ray;

/**
 * Which rank assembles which partition: rank r of R owns the contiguous partitions from ceil(r·P/R) up to, not
 * including, ceil((r+1)·P/R). The same in every driver and in the engine.
 */
final class Owners {

    private Owners() {}

    static int of(int partition, int ranks, int partitions) {
        return (int) ((long) partition * ranks / partitions);
    }

    static int firstOf(int rank, int ranks, int partitions) {
        return (int) Math.ceilDiv((long) rank * partitions, ranks);
    }

    /** One past the last. */
    static int lastOf(int rank, int ranks, int partitions) {
        return firstOf(rank + 1, ranks, partitions);
    }
}
