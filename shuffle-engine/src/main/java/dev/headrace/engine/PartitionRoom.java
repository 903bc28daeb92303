package dev.headrace.engine;

import dev.headrace.HeadraceException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the partitions of all open shuffles of a rank, whose counters lie on the heap: a heap that is full ends the
 * rank and with it every shuffle. Thread-safe.
 */
final class PartitionRoom {
    /** Counters, groupings of four inserts at a time, and the manifest, for a partition of which this rank is owner. */
    private static final int BYTES_PER_PARTITION = 64;

    /** Half of a heap of 256 MiB is free beside the pages that are being fetched. */
    private static final int SHARE_OF_HEAP = 4;

    private final long heapBytes;
    private final long most;
    private final AtomicLong open = new AtomicLong();

    PartitionRoom(long heapBytes) {
        this.heapBytes = heapBytes;
        this.most = heapBytes / SHARE_OF_HEAP / BYTES_PER_PARTITION;
    }

    /** Makes room for a shuffle of so many partitions, or throws OUT_OF_MEMORY. */
    void take(int partitions) {
        if (open.addAndGet(partitions) > most) {
            long others = open.addAndGet(-partitions);
            throw HeadraceException.outOfMemory("a shuffle of " + partitions + " partitions does not fit: a heap of "
                    + heapBytes + " bytes has room for " + most + " partitions of all open shuffles, and " + others
                    + " are open");
        }
    }

    void giveBack(int partitions) {
        open.addAndGet(-partitions);
    }
}
