package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** The run ends of a run-end encoded column: a view, any thread. */
record RunEnds(MemorySegment ends, int widthBytes, long runs) {

    static RunEnds of(Column column, int widthBytes) {
        Column ends = column.children().getFirst();
        return new RunEnds(ends.buffers().getFirst(), widthBytes, ends.rows());
    }

    /** The first row after run {@code run}. */
    long end(long run) {
        return Words.signedAt(ends, widthBytes, run);
    }

    /** The run that holds {@code row}. */
    long runOf(long row) {
        long low = 0;
        long high = runs - 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (end(middle) > row) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
