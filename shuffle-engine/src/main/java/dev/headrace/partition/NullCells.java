package dev.headrace.partition;

import dev.headrace.table.Column;
import java.util.Arrays;

/** Cells of a column without a type: every row is null. */
final class NullCells implements Cells {
    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        Arrays.fill(cells, at, at + rows, Mixer.NULL_CELL);
    }
}
