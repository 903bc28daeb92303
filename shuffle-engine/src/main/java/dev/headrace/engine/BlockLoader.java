package dev.headrace.engine;

import dev.headrace.exchange.StoredBlock;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.pack.Block;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.IdentityHashMap;

/**
 * Blocks as they are needed: those in memory in place, those on disk read into slabs, each once. Owns the slabs until
 * it is closed; what it gave is void then, and it can be used again. One thread.
 */
final class BlockLoader implements AutoCloseable {
    private final SlabPool pool;
    private final Duration patience;
    private final Statistics statistics;
    private final IdentityHashMap<StoredBlock, Block> loaded = new IdentityHashMap<>();
    private final Held slabs = new Held();
    private MemorySegment free = MemorySegment.NULL;
    private long loadedBytes;

    BlockLoader(SlabPool pool, Duration patience, Statistics statistics) {
        this.pool = pool;
        this.patience = patience;
        this.statistics = statistics;
    }

    /** Bytes that were read from disk and are held. */
    long loadedBytes() {
        return loadedBytes;
    }

    Block load(StoredBlock stored) {
        return switch (stored) {
            case StoredBlock.InMemory inMemory -> inMemory.block();
            case StoredBlock.OnDisk onDisk -> {
                Block known = loaded.get(onDisk);
                if (known == null) {
                    known = read(onDisk);
                    loaded.put(onDisk, known);
                }
                yield known;
            }
        };
    }

    private Block read(StoredBlock.OnDisk stored) {
        if (stored.bytes() > free.byteSize()) {
            long bytes = Math.max(stored.bytes(), EngineConfig.SLAB_BYTES);
            free = slabs.add(pool.acquire(SlabPool.Use.OUTPUT, bytes, patience)).segment();
        }
        long start = System.nanoTime();
        MemorySegment target = free.asSlice(0, stored.bytes());
        free = free.asSlice(stored.bytes());
        Block block = stored.readInto(target);
        loadedBytes += stored.bytes();
        statistics.add(Statistic.READ_BACK_BYTES, stored.bytes());
        statistics.add(Statistic.SPILL_READ_TIME, System.nanoTime() - start);
        return block;
    }

    @Override
    public void close() {
        loaded.clear();
        free = MemorySegment.NULL;
        loadedBytes = 0;
        slabs.close();
    }
}
