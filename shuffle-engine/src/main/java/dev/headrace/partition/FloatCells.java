package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** Cells of floats: the bits of the value as a double, with one zero and one NaN. */
final class FloatCells implements Cells {
    private final int widthBytes;

    FloatCells(int widthBytes) {
        this.widthBytes = widthBytes;
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        MemorySegment values = column.buffers().getFirst();
        switch (widthBytes) {
            case 2 -> halves(values, from, rows, cells, at);
            case 4 -> singles(values, from, rows, cells, at);
            case 8 -> doubles(values, from, rows, cells, at);
            default -> throw new IllegalStateException("no float has " + widthBytes + " bytes");
        }
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
    }

    private static void halves(MemorySegment values, long from, int rows, long[] cells, int at) {
        for (int i = 0; i < rows; i++) {
            cells[at + i] = cell(Float.float16ToFloat(values.get(Words.SHORT, 2 * (from + i))));
        }
    }

    private static void singles(MemorySegment values, long from, int rows, long[] cells, int at) {
        for (int i = 0; i < rows; i++) {
            cells[at + i] = cell(Float.intBitsToFloat(values.get(Words.INT, 4 * (from + i))));
        }
    }

    private static void doubles(MemorySegment values, long from, int rows, long[] cells, int at) {
        for (int i = 0; i < rows; i++) {
            cells[at + i] = cell(Double.longBitsToDouble(values.get(Words.LONG, 8 * (from + i))));
        }
    }

    /** Adding zero turns -0.0 into 0.0 and nothing else; doubleToLongBits has one NaN, 0x7FF8000000000000. */
    private static long cell(double value) {
        return Double.doubleToLongBits(value + 0.0);
    }
}
