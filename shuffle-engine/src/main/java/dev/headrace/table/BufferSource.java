package dev.headrace.table;

import java.lang.foreign.MemorySegment;

/**
 * Where an {@link IpcReader} gets memory for what it can't show in place: compressed or unaligned buffers and
 * dictionaries that came in parts. Called on the reader's thread, at most once per chunk.
 */
@FunctionalInterface
public interface BufferSource {

    /**
     * At least {@code bytes} of native memory, aligned to 8 bytes, that the source owns and keeps until the reader's
     * next call of {@code next} or {@code close}; the memory of the chunk before may be handed out again.
     */
    MemorySegment allocate(long bytes);
}
