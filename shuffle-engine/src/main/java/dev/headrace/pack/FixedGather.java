package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;
import static dev.headrace.pack.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/** The gather loops for values of one width: target value i is source value {@code order[from + i]}. */
final class FixedGather {
    private FixedGather() {}

    static void gather(int width, MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        switch (width) {
            case 0 -> {}
            case 1 -> gather1(source, order, from, to, target, at);
            case 2 -> gather2(source, order, from, to, target, at);
            case 4 -> gather4(source, order, from, to, target, at);
            case 8 -> gather8(source, order, from, to, target, at);
            case 16 -> gather16(source, order, from, to, target, at);
            default -> gatherAny(width, source, order, from, to, target, at);
        }
    }

    private static void gather1(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        for (int i = from; i < to; i++) {
            target.set(BYTE, at + (i - from), source.get(BYTE, order[i]));
        }
    }

    private static void gather2(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        for (int i = from; i < to; i++) {
            target.set(SHORT, at + ((long) (i - from) << 1), source.get(SHORT, (long) order[i] << 1));
        }
    }

    private static void gather4(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        for (int i = from; i < to; i++) {
            target.set(INT, at + ((long) (i - from) << 2), source.get(INT, (long) order[i] << 2));
        }
    }

    private static void gather8(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        for (int i = from; i < to; i++) {
            target.set(LONG, at + ((long) (i - from) << 3), source.get(LONG, (long) order[i] << 3));
        }
    }

    private static void gather16(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        for (int i = from; i < to; i++) {
            long here = (long) order[i] << 4;
            long there = at + ((long) (i - from) << 4);
            target.set(LONG, there, source.get(LONG, here));
            target.set(LONG, there + 8, source.get(LONG, here + 8));
        }
    }

    private static void gatherAny(
            int width, MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        for (int i = from; i < to; i++) {
            MemorySegment.copy(source, (long) order[i] * width, target, at + (long) (i - from) * width, width);
        }
    }

    /** Zeros one value. */
    static void clear(MemorySegment target, long at, int width) {
        switch (width) {
            case 1 -> target.set(BYTE, at, (byte) 0);
            case 2 -> target.set(SHORT, at, (short) 0);
            case 4 -> target.set(INT, at, 0);
            case 8 -> target.set(LONG, at, 0);
            default -> target.asSlice(at, width).fill((byte) 0);
        }
    }
}
