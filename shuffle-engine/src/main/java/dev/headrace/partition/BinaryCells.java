package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** Cells of strings and bytes behind offsets. */
final class BinaryCells implements Cells {
    private final int offsetBytes;
    private final long[] offsets = new long[MAX_ROWS + 1];

    BinaryCells(int offsetBytes) {
        this.offsetBytes = offsetBytes;
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        MemorySegment data = column.buffers().get(1);
        MemorySegment validity = column.validity();
        Words.signed(column.buffers().getFirst(), offsetBytes, from, rows + 1, offsets, 0);
        if (validity == null) {
            hashAll(data, rows, cells, at);
        } else {
            hashValid(data, validity, from, rows, cells, at);
        }
    }

    private void hashAll(MemorySegment data, int rows, long[] cells, int at) {
        long start = offsets[0];
        for (int i = 0; i < rows; i++) {
            long end = offsets[i + 1];
            cells[at + i] = XxHash64.hash(data, start, end - start);
            start = end;
        }
    }

    /** What lies under a null may be long, and is not worth a look. */
    private void hashValid(MemorySegment data, MemorySegment validity, long from, int rows, long[] cells, int at) {
        for (int i = 0; i < rows; i++) {
            cells[at + i] = Column.bit(validity, from + i)
                    ? XxHash64.hash(data, offsets[i], offsets[i + 1] - offsets[i])
                    : Mixer.NULL_CELL;
        }
    }
}
