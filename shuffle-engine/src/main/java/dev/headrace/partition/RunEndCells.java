package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;

/** Cells of run-end encoded columns: each run's value is hashed once per call. */
final class RunEndCells implements Cells {
    private final int endBytes;
    private final Cells values;
    private final long[] runCells = new long[MAX_ROWS];

    RunEndCells(DataType.RunEnd type) {
        this.endBytes = type.endWidthBytes();
        this.values = Cells.of(type.values());
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        RunEnds ends = RunEnds.of(column, endBytes);
        long first = ends.runOf(from);
        // Every run has at least one row, so these fit runCells.
        int runs = (int) (ends.runOf(from + rows - 1) - first) + 1;
        values.read(column.children().get(1), first, runs, runCells, 0);
        int row = 0;
        for (int run = 0; run < runs; run++) {
            int end = (int) Math.min(rows, ends.end(first + run) - from);
            Arrays.fill(cells, at + row, at + end, runCells[run]);
            row = end;
        }
    }
}
