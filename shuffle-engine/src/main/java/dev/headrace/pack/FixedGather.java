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

    // A slice and an index that starts at 0 let the compiler drop the bounds check of the target: half as fast again.
    private static void gather1(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        int count = to - from;
        MemorySegment values = target.asSlice(at, 1L * count);
        for (int i = 0; i < count; i++) {
            values.setAtIndex(BYTE, i, source.getAtIndex(BYTE, order[from + i]));
        }
    }

    private static void gather2(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        int count = to - from;
        MemorySegment values = target.asSlice(at, 2L * count);
        for (int i = 0; i < count; i++) {
            values.setAtIndex(SHORT, i, source.getAtIndex(SHORT, order[from + i]));
        }
    }

    private static void gather4(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        int count = to - from;
        MemorySegment values = target.asSlice(at, 4L * count);
        for (int i = 0; i < count; i++) {
            values.setAtIndex(INT, i, source.getAtIndex(INT, order[from + i]));
        }
    }

    private static void gather8(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        int count = to - from;
        MemorySegment values = target.asSlice(at, 8L * count);
        for (int i = 0; i < count; i++) {
            values.setAtIndex(LONG, i, source.getAtIndex(LONG, order[from + i]));
        }
    }

    private static void gather16(MemorySegment source, int[] order, int from, int to, MemorySegment target, long at) {
        int count = to - from;
        MemorySegment values = target.asSlice(at, 16L * count);
        for (int i = 0; i < count; i++) {
            long here = 2L * order[from + i];
            values.setAtIndex(LONG, 2L * i, source.getAtIndex(LONG, here));
            values.setAtIndex(LONG, 2L * i + 1, source.getAtIndex(LONG, here + 1));
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
