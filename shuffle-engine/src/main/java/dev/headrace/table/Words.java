package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Little-endian integers of 1, 2, 4 or 8 bytes at any address. */
final class Words {
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Words() {}

    /** Word {@code index} of an array of words, sign-extended. */
    static long signed(MemorySegment words, int widthBytes, long index) {
        return switch (widthBytes) {
            case 1 -> words.get(ValueLayout.JAVA_BYTE, index);
            case 2 -> words.get(SHORT, index << 1);
            case 4 -> words.get(INT, index << 2);
            default -> words.get(LONG, index << 3);
        };
    }

    /** Offset {@code index} of an array of 64-bit ({@code large}) or 32-bit offsets. */
    static long offset(MemorySegment offsets, boolean large, long index) {
        return large ? offsets.get(LONG, index << 3) : offsets.get(INT, index << 2);
    }

    static void put(MemorySegment words, int widthBytes, long index, long value) {
        switch (widthBytes) {
            case 1 -> words.set(ValueLayout.JAVA_BYTE, index, (byte) value);
            case 2 -> words.set(SHORT, index << 1, (short) value);
            case 4 -> words.set(INT, index << 2, (int) value);
            default -> words.set(LONG, index << 3, value);
        }
    }

    /** Sets bit {@code index} of a bitmap. */
    static void setBit(MemorySegment bitmap, long index) {
        byte old = bitmap.get(ValueLayout.JAVA_BYTE, index >>> 3);
        bitmap.set(ValueLayout.JAVA_BYTE, index >>> 3, (byte) (old | 1 << (index & 7)));
    }

    static int offsetBytes(boolean large) {
        return large ? 8 : 4;
    }

    /** The next multiple of 8. */
    static long padded(long bytes) {
        return (bytes + 7) & -8;
    }
}
