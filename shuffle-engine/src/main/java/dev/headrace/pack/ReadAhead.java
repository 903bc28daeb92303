package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Reads the rows of a piece from front to back before they are gathered in the order of their partitions. One thread.
 *
 * <p>The processor fetches ahead of a straight reader, but waits for memory at almost every step of a gather. With ten
 * columns of int64, a gather into 64 partitions took 2.7 ns a value, and takes 1.8 ns with the reading ahead; into
 * 1,000 partitions 2.9 and 1.9 ns; into 8 it makes no difference.
 */
public final class ReadAhead {
    /** What memory and caches move at a time. */
    private static final long LINE_BYTES = 64;

    /** Takes what was read, so that reading it is not for nothing. */
    private long seen;

    /** Brings the rows {@code [from, from + rows)} into the caches, as far as they hold them. */
    public void read(List<Column> columns, long from, long rows) {
        columns.forEach(column -> read(column, from, rows));
    }

    private void read(Column column, long from, long rows) {
        // What is wrong with a column is found by who copies it.
        if (rows > 0 && from >= 0 && rows <= column.rows() - from) {
            touch(column, from, rows);
        }
    }

    private void touch(Column column, long from, long rows) {
        switch (column.type()) {
            case DataType.Fixed fixed -> touch(column, 0, from * fixed.widthBytes(), rows * fixed.widthBytes());
            case DataType.Dictionary dictionary -> {
                int width = dictionary.index().widthBytes();
                touch(column, 0, from * width, rows * width);
            }
            case DataType.View _ -> touch(column, 0, 16 * from, 16 * rows);
            case DataType.Binary binary -> {
                long first = touchOffsets(column, binary.large(), from, rows);
                touch(column, 1, first, offset(column, binary.large(), from + rows) - first);
            }
            case DataType.Varied list -> {
                long first = touchOffsets(column, list.large(), from, rows);
                long items = offset(column, list.large(), from + rows) - first;
                read(column.children().getFirst(), first, items);
            }
            case DataType.FixedList list -> read(column.children().getFirst(), from * list.size(), rows * list.size());
            case DataType.Struct _ -> read(column.children(), from, rows);
            // Bits are few bytes, and the others are gathered by more than their row numbers.
            default -> {}
        }
    }

    private long touchOffsets(Column column, boolean large, long from, long rows) {
        int width = large ? 8 : 4;
        touch(column, 0, from * width, rows * width);
        return offset(column, large, from);
    }

    private static long offset(Column column, boolean large, long row) {
        return Offsets.of(large).get(column.buffers().getFirst(), row);
    }

    private void touch(Column column, int buffer, long from, long bytes) {
        MemorySegment memory = column.buffers().get(buffer);
        long sum = 0;
        for (long at = Math.max(0, from), end = Math.min(from + bytes, memory.byteSize()); at < end; at += LINE_BYTES) {
            sum += memory.get(BYTE, at);
        }
        seen += sum;
    }

    long seen() {
        return seen;
    }
}
