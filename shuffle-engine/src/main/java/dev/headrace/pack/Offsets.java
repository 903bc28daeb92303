package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/** Arrow offsets of 32 or 64 bits: reading those of a source and writing those of a block, which start at 0. */
final class Offsets {
    static final Offsets SMALL = new Offsets(false);
    static final Offsets LARGE = new Offsets(true);

    private final boolean large;

    private Offsets(boolean large) {
        this.large = large;
    }

    static Offsets of(boolean large) {
        return large ? LARGE : SMALL;
    }

    /** The largest offset. */
    long limit() {
        return large ? Long.MAX_VALUE : Integer.MAX_VALUE;
    }

    long get(MemorySegment offsets, long index) {
        return large ? offsets.get(LONG, index << 3) : offsets.get(INT, index << 2);
    }

    void set(MemorySegment target, long at, long index, long value) {
        if (large) {
            target.set(LONG, at + (index << 3), value);
        } else {
            target.set(INT, at + (index << 2), (int) value);
        }
    }

    /** Bytes of the offsets of so many rows. */
    long bytes(long rows) {
        return rows == 0 ? 0 : (rows + 1) << (large ? 3 : 2);
    }

    /** The length of a row, which a broken source may have made negative. */
    long length(MemorySegment offsets, long row) {
        long length = get(offsets, row + 1) - get(offsets, row);
        if (length < 0) {
            throw ColumnAppender.corrupt("an offset that goes back by", length);
        }
        return length;
    }

    /** The sum of the lengths of the rows, nulls left out. */
    long lengthOfRows(Column source, int[] order, int from, int to) {
        MemorySegment offsets = source.buffers().getFirst();
        MemorySegment bitmap = source.validity();
        long length = 0;
        if (bitmap == null) {
            for (int i = from; i < to; i++) {
                length += length(offsets, order[i]);
            }
        } else {
            for (int i = from; i < to; i++) {
                length += Column.bit(bitmap, order[i]) ? length(offsets, order[i]) : 0;
            }
        }
        return length;
    }

    /** The sum of the lengths of the rows of a range, nulls left out. */
    long lengthOfValid(Column source, long start, long count) {
        MemorySegment offsets = source.buffers().getFirst();
        long length = 0;
        for (long row = start; row < start + count; row++) {
            length += source.isValid(row) ? length(offsets, row) : 0;
        }
        return length;
    }

    /** The sum of the lengths of a range, nulls or not. */
    long lengthOfRange(Column source, long start, long count) {
        MemorySegment offsets = source.buffers().getFirst();
        long length = get(offsets, start + count) - get(offsets, start);
        if (length < 0) {
            throw ColumnAppender.corrupt("offsets that go back by", length);
        }
        return length;
    }

    /** Writes the offsets of everything that was selected; null rows get length 0. Returns the last offset. */
    long write(Selections wanted, MemorySegment target, long at, long rows) {
        if (rows == 0) {
            return 0;
        }
        set(target, at, 0, 0);
        long row = 0;
        long end = 0;
        for (int i = 0; i < wanted.size(); i++) {
            Column source = wanted.source(i);
            long count = wanted.count(i);
            end = wanted.isRange(i)
                    ? writeRange(source, wanted.from(i), count, target, at, row, end)
                    : writeRows(source, wanted.rows(i), (int) wanted.from(i), (int) count, target, at, row, end);
            row += count;
        }
        return end;
    }

    private long writeRows(
            Column source, int[] order, int from, int count, MemorySegment target, long at, long row, long end) {
        MemorySegment offsets = source.buffers().getFirst();
        MemorySegment bitmap = source.validity();
        long next = end;
        for (int i = 0; i < count; i++) {
            int here = order[from + i];
            next += bitmap == null || Column.bit(bitmap, here) ? length(offsets, here) : 0;
            set(target, at, row + i + 1, next);
        }
        return next;
    }

    private long writeRange(Column source, long start, long count, MemorySegment target, long at, long row, long end) {
        MemorySegment offsets = source.buffers().getFirst();
        MemorySegment bitmap = source.validity();
        long next = end;
        for (long i = 0; i < count; i++) {
            next += bitmap == null || Column.bit(bitmap, start + i) ? length(offsets, start + i) : 0;
            set(target, at, row + i + 1, next);
        }
        return next;
    }
}
