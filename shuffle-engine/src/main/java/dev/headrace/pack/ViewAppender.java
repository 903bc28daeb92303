package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;

/** Binary and string views: what is longer than 12 bytes is gathered into one data buffer, however many there were. */
final class ViewAppender extends ColumnAppender {
    private static final int INLINE_BYTES = 12;
    private static final int VIEW_BYTES = 16;

    private final Validity validity = new Validity();
    private final Selections wanted = new Selections();
    private long dataBytes;

    ViewAppender(DataType.View type) {
        super(type);
    }

    @Override
    long rows() {
        return validity.rows();
    }

    @Override
    void reset() {
        validity.reset();
        wanted.reset();
        dataBytes = 0;
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        validity.addRows(source, order, from, to);
        wanted.addRows(source, order, from, to);
        long bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += dataBytes(source, order[i]);
        }
        grow(bytes);
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        validity.addRange(source, start, count);
        wanted.addRange(source, start, count);
        grow(dataBytes(source, start, count));
    }

    private void grow(long bytes) {
        dataBytes += bytes;
        if (dataBytes > Integer.MAX_VALUE) {
            throw tooLarge("a view offset", dataBytes, Integer.MAX_VALUE);
        }
    }

    private static long dataBytes(Column source, long start, long count) {
        long bytes = 0;
        for (long row = start; row < start + count; row++) {
            bytes += dataBytes(source, row);
        }
        return bytes;
    }

    /** Bytes outside the view. */
    private static int dataBytes(Column source, long row) {
        if (!source.isValid(row)) {
            return 0;
        }
        int length = source.buffers().getFirst().get(INT, row * VIEW_BYTES);
        if (length < 0) {
            throw corrupt("a view length of", length);
        }
        return length <= INLINE_BYTES ? 0 : length;
    }

    @Override
    boolean fits(Column source, long start, long count) {
        return dataBytes(source, start, count) <= Integer.MAX_VALUE - dataBytes;
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes()) + rows() * VIEW_BYTES + LittleEndian.pad8(dataBytes);
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        MemorySegment target = out.target();
        long view = out.place(rows() * VIEW_BYTES);
        long data = out.place(dataBytes);
        long next = data;
        for (int i = 0; i < wanted.size(); i++) {
            Column source = wanted.source(i);
            boolean range = wanted.isRange(i);
            int[] order = wanted.rows(i);
            for (long j = wanted.from(i); j < wanted.from(i) + wanted.count(i); j++) {
                next += copy(source, range ? j : order[(int) j], target, view, data, next, data + dataBytes);
                view += VIEW_BYTES;
            }
        }
    }

    /** Writes one view and its data; returns the bytes of the latter. */
    private static int copy(Column source, long row, MemorySegment target, long view, long data, long next, long end) {
        if (!source.isValid(row)) {
            target.set(LONG, view, 0);
            target.set(LONG, view + 8, 0);
            return 0;
        }
        MemorySegment views = source.buffers().getFirst();
        long at = row * VIEW_BYTES;
        target.set(LONG, view, views.get(LONG, at));
        int length = dataBytes(source, row);
        if (length == 0) {
            target.set(LONG, view + 8, views.get(LONG, at + 8));
            return 0;
        }
        int buffer = views.get(INT, at + 8);
        if (buffer < 0 || buffer >= source.buffers().size() - 1) {
            throw corrupt("a view into the missing buffer", buffer);
        }
        int offset = views.get(INT, at + 12);
        ShortCopy.copy(source.buffers().get(1 + buffer), offset, target, next, length, end);
        target.set(INT, view + 8, 0);
        target.set(INT, view + 12, (int) (next - data));
        return length;
    }

    @Override
    boolean accepts(DataType source) {
        return source.equals(type());
    }
}
