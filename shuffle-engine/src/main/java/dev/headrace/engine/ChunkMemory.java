package dev.headrace.engine;

import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.table.BufferSource;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;

/** Memory that a batch is decompressed into, one chunk at a time, as long as it takes to get it. One thread. */
final class ChunkMemory implements BufferSource, AutoCloseable {
    private final SlabPool pool;
    private final Duration patience;
    private Optional<Slab> slab = Optional.empty();

    ChunkMemory(SlabPool pool, Duration patience) {
        this.pool = pool;
        this.patience = patience;
    }

    @Override
    public MemorySegment allocate(long bytes) {
        close();
        Slab taken = pool.acquire(SlabPool.Use.PACK, bytes, patience);
        slab = Optional.of(taken);
        return taken.segment();
    }

    @Override
    public void close() {
        slab.ifPresent(Slab::close);
        slab = Optional.empty();
    }
}
