package dev.headrace.partition;

import dev.headrace.table.Column;

/** Cells of booleans: 0 and 1, as of integers. */
final class BoolCells implements Cells {
    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        Words.bits(column.buffers().getFirst(), from, rows, cells, at);
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
    }
}
