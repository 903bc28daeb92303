package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bitmaps that say which rows are null. */
final class Validity {
    private Validity() {}

    static long bytes(long rows) {
        return (rows >>> 3) + ((rows & 7) == 0 ? 0 : 1);
    }

    /**
     * The null count that the format wants for the column: 0 for unions and run ends, which have no nulls of their own.
     */
    static long nulls(Column column) {
        if (column.type() instanceof DataType.Null) {
            return column.rows();
        }
        MemorySegment bitmap = column.validity();
        return bitmap == null ? 0 : column.rows() - ones(bitmap, column.rows());
    }

    private static long ones(MemorySegment bitmap, long bits) {
        long ones = 0;
        long words = bits >>> 6;
        for (long i = 0; i < words; i++) {
            ones += Long.bitCount(bitmap.get(Words.LONG, i << 3));
        }
        for (long i = words << 3; i < bits >>> 3; i++) {
            ones += Integer.bitCount(bitmap.get(ValueLayout.JAVA_BYTE, i) & 0xff);
        }
        for (long i = bits & -8; i < bits; i++) {
            ones += Column.bit(bitmap, i) ? 1 : 0;
        }
        return ones;
    }
}
