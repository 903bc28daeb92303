package dev.headrace.partition;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Reads runs of little-endian integers and of bits into longs: pure functions, any thread. */
final class Words {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /** Sets {@code words[at + i]} to value {@code from + i}, sign-extended from 1, 2, 4 or 8 bytes. */
    static void signed(MemorySegment values, int widthBytes, long from, int rows, long[] words, int at) {
        switch (widthBytes) {
            case 1 -> bytes(values, from, rows, words, at);
            case 2 -> shorts(values, from, rows, words, at);
            case 4 -> ints(values, from, rows, words, at);
            case 8 -> longs(values, from, rows, words, at);
            default -> throw new IllegalArgumentException("no integer has " + widthBytes + " bytes");
        }
    }

    /** Sets {@code words[at + i]} to value {@code from + i}, zero-extended from 1, 2, 4 or 8 bytes. */
    static void unsigned(MemorySegment values, int widthBytes, long from, int rows, long[] words, int at) {
        signed(values, widthBytes, from, rows, words, at);
        if (widthBytes < 8) {
            long mask = -1L >>> (64 - 8 * widthBytes);
            for (int i = at; i < at + rows; i++) {
                words[i] &= mask;
            }
        }
    }

    /** Sets {@code words[at + i]} to 0 or 1 as bit {@code from + i}, least significant first. */
    static void bits(MemorySegment values, long from, int rows, long[] words, int at) {
        for (int i = 0; i < rows; i++) {
            long row = from + i;
            words[at + i] = ((long) values.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7)) & 1;
        }
    }

    /** One signed value of 1, 2, 4 or 8 bytes. */
    static long signedAt(MemorySegment values, int widthBytes, long row) {
        return switch (widthBytes) {
            case 1 -> values.get(ValueLayout.JAVA_BYTE, row);
            case 2 -> values.get(SHORT, 2 * row);
            case 4 -> values.get(INT, 4 * row);
            case 8 -> values.get(LONG, 8 * row);
            default -> throw new IllegalArgumentException("no integer has " + widthBytes + " bytes");
        };
    }

    private static void bytes(MemorySegment values, long from, int rows, long[] words, int at) {
        for (int i = 0; i < rows; i++) {
            words[at + i] = values.get(ValueLayout.JAVA_BYTE, from + i);
        }
    }

    private static void shorts(MemorySegment values, long from, int rows, long[] words, int at) {
        long base = 2 * from;
        for (int i = 0; i < rows; i++) {
            words[at + i] = values.get(SHORT, base + 2L * i);
        }
    }

    private static void ints(MemorySegment values, long from, int rows, long[] words, int at) {
        long base = 4 * from;
        for (int i = 0; i < rows; i++) {
            words[at + i] = values.get(INT, base + 4L * i);
        }
    }

    private static void longs(MemorySegment values, long from, int rows, long[] words, int at) {
        long base = 8 * from;
        for (int i = 0; i < rows; i++) {
            words[at + i] = values.get(LONG, base + 8L * i);
        }
    }
}
