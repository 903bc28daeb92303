package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;

/** Places in run-end encoded columns: each run's value is placed once per call. */
final class RunEndPlaces implements Places {
    private final int endBytes;
    private final Places values;
    private final int[] runPlaces = new int[MAX_ROWS];

    RunEndPlaces(DataType.RunEnd type, Places values) {
        this.endBytes = type.endWidthBytes();
        this.values = values;
    }

    @Override
    public void read(Column column, long from, int rows, int[] places) {
        RunEnds ends = RunEnds.of(column, endBytes);
        long first = ends.runOf(from);
        // Every run has at least one row, so these fit runPlaces.
        int runs = (int) (ends.runOf(from + rows - 1) - first) + 1;
        values.read(column.children().get(1), first, runs, runPlaces);
        int row = 0;
        for (int run = 0; run < runs; run++) {
            int end = (int) Math.min(rows, ends.end(first + run) - from);
            Arrays.fill(places, row, end, runPlaces[run]);
            row = end;
        }
    }
}
