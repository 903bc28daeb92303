package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;
import static dev.headrace.pack.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/** Little-endian integers of 1, 2, 4 or 8 bytes, read and written by value. */
final class Integers {
    private Integers() {}

    /** The value of an element; one of 8 unsigned bytes above the signed maximum comes out negative. */
    static long get(MemorySegment values, int width, boolean signed, long index) {
        return switch (width) {
            case 1 -> signed ? values.get(BYTE, index) : values.get(BYTE, index) & 0xFFL;
            case 2 -> signed ? values.get(SHORT, index << 1) : values.get(SHORT, index << 1) & 0xFFFFL;
            case 4 -> signed ? values.get(INT, index << 2) : values.get(INT, index << 2) & 0xFFFF_FFFFL;
            case 8 -> values.get(LONG, index << 3);
            default -> throw new IllegalArgumentException("no integer has " + width + " bytes");
        };
    }

    static void set(MemorySegment target, long at, int width, long value) {
        switch (width) {
            case 1 -> target.set(BYTE, at, (byte) value);
            case 2 -> target.set(SHORT, at, (short) value);
            case 4 -> target.set(INT, at, (int) value);
            case 8 -> target.set(LONG, at, value);
            default -> throw new IllegalArgumentException("no integer has " + width + " bytes");
        }
    }

    /** The largest value of an integer type, or {@link Long#MAX_VALUE} for 8 bytes of either sign. */
    static long max(int width, boolean signed) {
        return width == 8 ? Long.MAX_VALUE : (1L << (8 * width - (signed ? 1 : 0))) - 1;
    }

    /** Reads the elements of the rows as ints; one that does not fit, as an index, comes out negative. */
    static void readRows(
            MemorySegment values, int width, boolean signed, int[] order, int from, int to, int[] out, int at) {
        if (width == 4) {
            for (int i = from; i < to; i++) {
                out[at + i - from] = values.get(INT, (long) order[i] << 2);
            }
        } else {
            for (int i = from; i < to; i++) {
                out[at + i - from] = index(get(values, width, signed, order[i]));
            }
        }
    }

    /** Like {@link #readRows} for a range. */
    static void readRange(MemorySegment values, int width, boolean signed, long start, int count, int[] out, int at) {
        for (int i = 0; i < count; i++) {
            out[at + i] = index(get(values, width, signed, start + i));
        }
    }

    private static int index(long value) {
        return value == (int) value ? (int) value : -1;
    }

    /** Writes ints as integers of a width. */
    static void write(int[] values, int count, MemorySegment target, long at, int width) {
        switch (width) {
            case 1 -> {
                for (int i = 0; i < count; i++) {
                    target.set(BYTE, at + i, (byte) values[i]);
                }
            }
            case 2 -> {
                for (int i = 0; i < count; i++) {
                    target.set(SHORT, at + 2L * i, (short) values[i]);
                }
            }
            case 4 -> MemorySegment.copy(values, 0, target, INT, at, count);
            default -> {
                for (int i = 0; i < count; i++) {
                    target.set(LONG, at + 8L * i, values[i]);
                }
            }
        }
    }

    static void widenRows(
            MemorySegment values,
            int width,
            boolean signed,
            int[] order,
            int from,
            int to,
            MemorySegment target,
            long at,
            int targetWidth) {
        for (int i = from; i < to; i++) {
            set(target, at + (long) (i - from) * targetWidth, targetWidth, get(values, width, signed, order[i]));
        }
    }

    static void widenRange(
            MemorySegment values,
            int width,
            boolean signed,
            long start,
            long count,
            MemorySegment target,
            long at,
            int targetWidth) {
        for (long i = 0; i < count; i++) {
            set(target, at + i * targetWidth, targetWidth, get(values, width, signed, start + i));
        }
    }
}
