package dev.headrace.table;

import java.lang.foreign.MemorySegment;

/** The memory of one chunk that is not in the stream, given out front to back. */
final class Scratch {
    private final MemorySegment memory;
    private long usedBytes;

    private Scratch(MemorySegment memory) {
        this.memory = memory;
    }

    static Scratch of(BufferSource source, long bytes) {
        return new Scratch(bytes == 0 ? MemorySegment.NULL : source.allocate(bytes));
    }

    /** The next {@code bytes}; whoever takes more than was counted before gets an out-of-bounds error. */
    MemorySegment take(long bytes) {
        MemorySegment taken = memory.asSlice(usedBytes, bytes);
        usedBytes = Math.min(memory.byteSize(), usedBytes + Words.padded(bytes));
        return taken;
    }
}
