package dev.headrace.engine;

import dev.headrace.memory.Slab;
import dev.headrace.table.BufferSource;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.LongFunction;

/** Memory that a batch is decompressed into, one chunk at a time. One thread. */
final class ChunkMemory implements BufferSource, AutoCloseable {
    private final LongFunction<Slab> slabs;
    private Optional<Slab> slab = Optional.empty();

    /** @param slabs gives a slab of at least so many bytes, or throws */
    ChunkMemory(LongFunction<Slab> slabs) {
        this.slabs = slabs;
    }

    @Override
    public MemorySegment allocate(long bytes) {
        close();
        Slab taken = slabs.apply(bytes);
        slab = Optional.of(taken);
        return taken.segment();
    }

    @Override
    public void close() {
        slab.ifPresent(Slab::close);
        slab = Optional.empty();
    }
}
