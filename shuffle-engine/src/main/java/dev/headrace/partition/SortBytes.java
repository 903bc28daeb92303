package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Finds the bytes of one row of a string or binary column, whatever its layout: {@link #find} sets the other fields.
 * One thread.
 */
final class SortBytes {
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;

    private MemorySegment data = MemorySegment.NULL;
    private long offset;
    private long length;

    MemorySegment data() {
        return data;
    }

    long offset() {
        return offset;
    }

    long length() {
        return length;
    }

    /** Points at the bytes of a row that is not null. */
    void find(Column column, long row) {
        List<MemorySegment> buffers = column.buffers();
        switch (column.type()) {
            case DataType.Fixed fixed -> set(buffers.getFirst(), row * fixed.widthBytes(), fixed.widthBytes());
            case DataType.Binary binary -> {
                int width = binary.large() ? 8 : 4;
                long from = Words.signedAt(buffers.getFirst(), width, row);
                set(buffers.get(1), from, Words.signedAt(buffers.getFirst(), width, row + 1) - from);
            }
            default -> findView(buffers, row * VIEW_BYTES);
        }
    }

    private void findView(List<MemorySegment> buffers, long view) {
        MemorySegment views = buffers.getFirst();
        int bytes = views.get(Words.INT, view);
        if (bytes <= INLINE_BYTES) {
            set(views, view + 4, bytes);
        } else {
            set(buffers.get(1 + views.get(Words.INT, view + 8)), views.get(Words.INT, view + 12), bytes);
        }
    }

    private void set(MemorySegment buffer, long from, long bytes) {
        data = buffer;
        offset = from;
        length = bytes;
    }
}
