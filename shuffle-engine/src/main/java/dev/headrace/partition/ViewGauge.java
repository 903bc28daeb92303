package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** String and binary views: a view, and the bytes if they are not inside it. */
final class ViewGauge extends Gauge {
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;

    ViewGauge() {
        super(8 * VIEW_BYTES + 1, true);
    }

    @Override
    long varying(Column column, long from, long rows) {
        MemorySegment views = column.buffers().getFirst();
        long bits = 0;
        for (long row = from; row < from + rows; row++) {
            if (column.isValid(row)) {
                int length = views.get(Words.INT, VIEW_BYTES * row);
                bits += length > INLINE_BYTES ? 8L * length : 0;
            }
        }
        return bits;
    }
}
