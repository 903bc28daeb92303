package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/**
 * Cells of whole numbers: integers by value, and counts of a unit of time as nanoseconds. Nanoseconds wrap around at
 * 2^64: that is still a function of the instant alone, whatever the unit it came in.
 */
final class IntegerCells implements Cells {
    private final int widthBytes;
    private final boolean signed;
    private final long factor;

    IntegerCells(int widthBytes, boolean signed, long factor) {
        this.widthBytes = widthBytes;
        this.signed = signed;
        this.factor = factor;
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        MemorySegment values = column.buffers().getFirst();
        if (signed) {
            Words.signed(values, widthBytes, from, rows, cells, at);
        } else {
            Words.unsigned(values, widthBytes, from, rows, cells, at);
        }
        if (factor != 1) {
            multiply(cells, at, rows, factor);
        } else if (!signed && widthBytes == 8) {
            separate(cells, at, rows);
        }
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
    }

    private static void multiply(long[] cells, int at, int rows, long factor) {
        for (int i = at; i < at + rows; i++) {
            cells[i] *= factor;
        }
    }

    private static void separate(long[] cells, int at, int rows) {
        for (int i = at; i < at + rows; i++) {
            cells[i] = Mixer.unsignedCell(cells[i]);
        }
    }
}
