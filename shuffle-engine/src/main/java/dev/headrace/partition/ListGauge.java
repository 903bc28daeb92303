package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** Lists, maps and list views: an offset (and a size), and the items unless null. */
final class ListGauge extends Gauge {
    private final int offsetBytes;
    private final boolean view;
    private final Gauge item;

    ListGauge(int offsetBytes, boolean view, Gauge item) {
        super((view ? 16L : 8L) * offsetBytes + 1, true);
        this.offsetBytes = offsetBytes;
        this.view = view;
        this.item = item;
    }

    @Override
    long varying(Column column, long from, long rows) {
        MemorySegment offsets = column.buffers().getFirst();
        Column items = column.children().getFirst();
        if (!view && column.validity() == null) {
            return rows == 0 ? 0 : items(items, offset(offsets, from), offset(offsets, from + rows));
        }
        long bits = 0;
        for (long row = from; row < from + rows; row++) {
            if (column.isValid(row)) {
                long start = offset(offsets, row);
                long end = view ? start + offset(column.buffers().get(1), row) : offset(offsets, row + 1);
                bits += items(items, start, end);
            }
        }
        return bits;
    }

    private long items(Column items, long start, long end) {
        return start == end ? 0 : item.total(items, start, end - start);
    }

    private long offset(MemorySegment offsets, long row) {
        return offsetBytes == 4 ? offsets.get(Words.INT, 4 * row) : offsets.get(Words.LONG, 8 * row);
    }
}
