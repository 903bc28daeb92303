package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.LONG;

import java.lang.foreign.MemorySegment;

/**
 * Copies values that are mostly short: whole words, one after the other, where source and target have room to round up,
 * since a call to copy ten bytes costs more than the bytes. What is written too much lies in {@code targetEnd}'s bounds
 * and is overwritten by the next value.
 */
final class ShortCopy {
    private static final int MOST_BYTES = 64;

    private ShortCopy() {}

    /** Copies {@code length} bytes; may also write garbage behind them, but not at or behind {@code targetEnd}. */
    static void copy(MemorySegment source, long from, MemorySegment target, long at, long length, long targetEnd) {
        long words = LittleEndian.pad8(length);
        if (length <= MOST_BYTES && from + words <= source.byteSize() && at + words <= targetEnd) {
            for (long i = 0; i < words; i += 8) {
                target.set(LONG, at + i, source.get(LONG, from + i));
            }
        } else {
            MemorySegment.copy(source, from, target, at, length);
        }
    }
}
