package dev.headrace.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Bytes that follow from a seed, so that a receiver can check each of them. A header carries its seed in front. */
final class Pattern {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private Pattern() {}

    static MemorySegment header(long seed, int bytes) {
        MemorySegment header = MemorySegment.ofArray(new byte[bytes]);
        if (bytes < Long.BYTES) {
            return header;
        }
        header.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, seed);
        fill(header.asSlice(Long.BYTES), seed);
        return header;
    }

    static @Nullable String headerDamage(MemorySegment header) {
        if (header.byteSize() < Long.BYTES) {
            return null;
        }
        return damage(header.asSlice(Long.BYTES), header.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }

    static MemorySegment fill(MemorySegment target, long seed) {
        long at = 0;
        long word = seed;
        for (; at + Long.BYTES <= target.byteSize(); at += Long.BYTES) {
            word += STEP;
            target.set(ValueLayout.JAVA_LONG_UNALIGNED, at, word);
        }
        for (; at < target.byteSize(); at++) {
            target.set(ValueLayout.JAVA_BYTE, at, (byte) (seed + at));
        }
        return target;
    }

    static @Nullable String damage(MemorySegment found, long seed) {
        long at = 0;
        long word = seed;
        for (; at + Long.BYTES <= found.byteSize(); at += Long.BYTES) {
            word += STEP;
            if (found.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != word) {
                return "wrong word at byte " + at + " of " + found.byteSize() + ", seed " + seed;
            }
        }
        for (; at < found.byteSize(); at++) {
            if (found.get(ValueLayout.JAVA_BYTE, at) != (byte) (seed + at)) {
                return "wrong byte at " + at + " of " + found.byteSize() + ", seed " + seed;
            }
        }
        return null;
    }
}
