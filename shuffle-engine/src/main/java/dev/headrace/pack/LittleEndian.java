package dev.headrace.pack;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The value layouts of everything here: little-endian and at any address, since source buffers need no alignment. */
final class LittleEndian {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    /** The next multiple of 8. */
    static long pad8(long bytes) {
        return (bytes + 7) & ~7L;
    }

    /** The next multiple of 64. */
    static long pad64(long bytes) {
        return (bytes + 63) & ~63L;
    }
}
