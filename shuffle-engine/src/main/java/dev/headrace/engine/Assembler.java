package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Memory and turns for those who put partitions together: as many at a time as there are permits, each with at most
 * {@link #SLABS} slabs. Thread-safe.
 */
final class Assembler {
    /** One slab for the columns, the others for what is read from disk. */
    static final int SLABS = 5;

    private final SlabPool pool;
    private final Semaphore permits;
    private final Statistics statistics;
    private final Duration patience;

    Assembler(SlabPool pool, int permits, Duration patience, Statistics statistics) {
        this.pool = pool;
        this.permits = new Semaphore(permits);
        this.patience = patience;
        this.statistics = statistics;
    }

    /** Work that makes a group; it puts into {@code held} what has to live as long as the group. */
    interface Work {
        PartitionRows.Group make(Held held);
    }

    /** Waits for a turn and does the work; the turn ends when the group is closed, or at once if the work failed. */
    PartitionRows.Group inTurn(Work work) {
        acquirePermit();
        Held held = new Held();
        held.add(permits::release);
        boolean done = false;
        try {
            long start = System.nanoTime();
            PartitionRows.Group group = work.make(held);
            statistics.add(Statistic.ASSEMBLE_TIME, System.nanoTime() - start);
            done = true;
            return group;
        } finally {
            if (!done) {
                held.close();
            }
        }
    }

    private void acquirePermit() {
        try {
            if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw HeadraceException.deadline("no turn to assemble a partition in " + patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw HeadraceException.deadline("interrupted while waiting to assemble a partition");
        }
    }

    BlockLoader loader() {
        return new BlockLoader(pool, patience, statistics);
    }

    /** At least that many bytes in slabs that {@code held} gives back. */
    MemorySegment memory(long bytes, Held held) {
        long wanted = Math.max(bytes, EngineConfig.SLAB_BYTES);
        return held.add(pool.acquire(SlabPool.Use.OUTPUT, wanted, patience)).segment();
    }

    /** What the builder holds, in memory of its own that {@code held} gives back. */
    Block write(BlockBuilder builder, Held held) {
        long bytes = builder.bytes();
        MemorySegment memory = memory(bytes, held);
        builder.write(memory.asSlice(0, bytes));
        return Block.read(builder.layout(), memory);
    }
}
