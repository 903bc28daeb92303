package dev.headrace.partition;

import dev.headrace.table.Column;

/** Run-end encoded columns: a run end and a value for each row, as if no two rows shared a run. */
final class RunEndGauge extends Gauge {
    private final int endBytes;
    private final Gauge values;

    RunEndGauge(int endBytes, Gauge values) {
        super(8L * endBytes + values.fixedBits(), values.varies());
        this.endBytes = endBytes;
        this.values = values;
    }

    @Override
    void add(Column column, long from, int rows, long[] bits) {
        RunEnds ends = RunEnds.of(column, endBytes);
        Column runValues = column.children().get(1);
        int at = 0;
        for (long run = ends.runOf(from); at < rows; run++) {
            long value = values.varying(runValues, run, 1);
            int end = (int) Math.min(rows, ends.end(run) - from);
            while (at < end) {
                bits[at++] += value;
            }
        }
    }

    @Override
    long varying(Column column, long from, long rows) {
        if (rows == 0) {
            return 0;
        }
        RunEnds ends = RunEnds.of(column, endBytes);
        Column runValues = column.children().get(1);
        long bits = 0;
        long at = from;
        for (long run = ends.runOf(from); at < from + rows; run++) {
            long end = Math.min(from + rows, ends.end(run));
            bits += (end - at) * values.varying(runValues, run, 1);
            at = end;
        }
        return bits;
    }
}
