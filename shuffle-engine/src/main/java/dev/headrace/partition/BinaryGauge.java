package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** Strings and bytes behind offsets: an offset, and the bytes unless null. */
final class BinaryGauge extends Gauge {
    private final int offsetBytes;

    BinaryGauge(int offsetBytes) {
        super(8L * offsetBytes + 1, true);
        this.offsetBytes = offsetBytes;
    }

    @Override
    void add(Column column, long from, int rows, long[] bits) {
        MemorySegment offsets = column.buffers().getFirst();
        if (column.validity() != null) {
            super.add(column, from, rows, bits);
        } else if (offsetBytes == 4) {
            addSmall(offsets, 4 * from, rows, bits);
        } else {
            addLarge(offsets, 8 * from, rows, bits);
        }
    }

    @Override
    long varying(Column column, long from, long rows) {
        MemorySegment offsets = column.buffers().getFirst();
        if (column.validity() == null) {
            return rows == 0 ? 0 : 8 * (offset(offsets, from + rows) - offset(offsets, from));
        }
        long bits = 0;
        for (long row = from; row < from + rows; row++) {
            if (column.isValid(row)) {
                bits += 8 * (offset(offsets, row + 1) - offset(offsets, row));
            }
        }
        return bits;
    }

    private long offset(MemorySegment offsets, long row) {
        return offsetBytes == 4 ? offsets.get(Words.INT, 4 * row) : offsets.get(Words.LONG, 8 * row);
    }

    private static void addSmall(MemorySegment offsets, long base, int rows, long[] bits) {
        for (int i = 0; i < rows; i++) {
            bits[i] += 8L * (offsets.get(Words.INT, base + 4L * i + 4) - offsets.get(Words.INT, base + 4L * i));
        }
    }

    private static void addLarge(MemorySegment offsets, long base, int rows, long[] bits) {
        for (int i = 0; i < rows; i++) {
            bits[i] += 8 * (offsets.get(Words.LONG, base + 8L * i + 8) - offsets.get(Words.LONG, base + 8L * i));
        }
    }
}
