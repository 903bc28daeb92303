package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Cells of booleans: 0 and 1, as of integers. */
final class BoolCells implements Cells {
    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        MemorySegment bits = column.buffers().getFirst();
        for (int i = 0; i < rows; i++) {
            long row = from + i;
            cells[at + i] = ((long) bits.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> (row & 7)) & 1;
        }
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
    }
}
