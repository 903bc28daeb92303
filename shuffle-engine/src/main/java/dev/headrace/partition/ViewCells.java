package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Cells of string and binary views: the bytes, wherever they lie. */
final class ViewCells implements Cells {
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        List<MemorySegment> buffers = column.buffers();
        MemorySegment views = buffers.getFirst();
        for (int i = 0; i < rows; i++) {
            cells[at + i] = column.isValid(from + i) ? cell(buffers, views, (from + i) * VIEW_BYTES) : Mixer.NULL_CELL;
        }
    }

    private static long cell(List<MemorySegment> buffers, MemorySegment views, long view) {
        int length = views.get(Words.INT, view);
        if (length <= INLINE_BYTES) {
            return XxHash64.hash(views, view + 4, length);
        }
        MemorySegment data = buffers.get(1 + views.get(Words.INT, view + 8));
        return XxHash64.hash(data, views.get(Words.INT, view + 12), length);
    }
}
