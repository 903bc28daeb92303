package dev.headrace.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How fast this machine copies memory that was touched before, with as many threads as work in all ranks together. Owns
 * its memory and threads; one caller.
 */
final class CopyBandwidth implements AutoCloseable {
    /** Source and target together are larger than a core's share of any cache. */
    private static final long BUFFER_BYTES = 64L << 20;

    private static final int ROUNDS = 8;

    private final Arena arena = Arena.ofShared();
    private final int count;
    private final MemorySegment[] sources;
    private final MemorySegment[] targets;
    private final RankThreads threads;

    CopyBandwidth(int count) {
        this.count = count;
        this.sources = new MemorySegment[count];
        this.targets = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            sources[i] = arena.allocate(BUFFER_BYTES, 4096).fill((byte) 1);
            targets[i] = arena.allocate(BUFFER_BYTES, 4096).fill((byte) 2);
        }
        this.threads = new RankThreads(-1, count);
        measure(); // the threads have to be started, and the loop compiled
    }

    /** Bytes per second, all threads together; takes about a tenth of a second. */
    double measure() {
        AtomicInteger next = new AtomicInteger();
        long start = System.nanoTime();
        threads.all(() -> {
            int mine = next.getAndIncrement();
            for (int round = 0; round < ROUNDS; round++) {
                targets[mine].copyFrom(sources[mine]);
            }
        });
        return count * ROUNDS * (BUFFER_BYTES * 1e9) / (System.nanoTime() - start);
    }

    @Override
    public void close() {
        threads.close();
        arena.close();
    }
}
