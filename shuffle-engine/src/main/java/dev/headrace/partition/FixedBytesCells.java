package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** Cells of bytes of one length. */
final class FixedBytesCells implements Cells {
    private final int widthBytes;

    FixedBytesCells(int widthBytes) {
        this.widthBytes = widthBytes;
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        MemorySegment values = column.buffers().getFirst();
        for (int i = 0; i < rows; i++) {
            cells[at + i] = XxHash64.hash(values, (from + i) * widthBytes, widthBytes);
        }
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
    }
}
