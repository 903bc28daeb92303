package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;

/** Offsets and one data buffer; one copy per value when gathering, one per run of valid rows for a range. */
final class BinaryAppender extends ColumnAppender {
    private final Offsets offsets;
    private final Validity validity = new Validity();
    private final Selections wanted = new Selections();
    private long dataBytes;

    BinaryAppender(DataType.Binary type) {
        super(type);
        this.offsets = Offsets.of(type.large());
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
        grow(offsets.lengthOfRows(source, order, from, to));
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        long nulls = validity.nulls();
        validity.addRange(source, start, count);
        wanted.addRange(source, start, count);
        grow(
                validity.nulls() == nulls
                        ? offsets.lengthOfRange(source, start, count)
                        : offsets.lengthOfValid(source, start, count));
    }

    private void grow(long bytes) {
        dataBytes += bytes;
        if (dataBytes < 0 || dataBytes > offsets.limit()) {
            throw tooLarge("an offset", dataBytes, offsets.limit());
        }
    }

    @Override
    boolean fits(Column source, long start, long count) {
        return offsets.lengthOfRange(source, start, count) <= offsets.limit() - dataBytes;
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes())
                + LittleEndian.pad8(offsets.bytes(rows()))
                + LittleEndian.pad8(dataBytes);
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        MemorySegment target = out.target();
        long offsetsAt = out.place(offsets.bytes(rows()));
        long at = out.place(dataBytes);
        long end = at + dataBytes;
        offsets.write(wanted, target, offsetsAt, rows());
        for (int i = 0; i < wanted.size(); i++) {
            Column source = wanted.source(i);
            long from = wanted.from(i);
            long count = wanted.count(i);
            if (wanted.isRange(i)) {
                at = copyRange(source, from, count, target, at, end);
            } else {
                at = copyRows(source, wanted.rows(i), (int) from, (int) (from + count), target, at, end);
            }
        }
    }

    private long copyRows(Column source, int[] order, int from, int to, MemorySegment target, long at, long dataEnd) {
        MemorySegment sourceOffsets = source.buffers().getFirst();
        MemorySegment data = source.buffers().get(1);
        MemorySegment bitmap = source.validity();
        long next = at;
        for (int i = from; i < to; i++) {
            long row = order[i];
            if (bitmap == null || Column.bit(bitmap, row)) {
                long start = offsets.get(sourceOffsets, row);
                long length = offsets.get(sourceOffsets, row + 1) - start;
                ShortCopy.copy(data, start, target, next, length, dataEnd);
                next += length;
            }
        }
        return next;
    }

    private long copyRange(Column source, long start, long count, MemorySegment target, long at, long dataEnd) {
        MemorySegment sourceOffsets = source.buffers().getFirst();
        MemorySegment data = source.buffers().get(1);
        MemorySegment bitmap = source.validity();
        long next = at;
        long row = start;
        long end = start + count;
        while (row < end) {
            long run = row;
            while (run < end && (bitmap == null || Column.bit(bitmap, run))) {
                run = bitmap == null ? end : run + 1;
            }
            if (run > row) {
                long first = offsets.get(sourceOffsets, row);
                long length = offsets.get(sourceOffsets, run) - first;
                ShortCopy.copy(data, first, target, next, length, dataEnd);
                next += length;
            }
            row = run + 1;
        }
        return next;
    }

    @Override
    boolean accepts(DataType source) {
        return source.equals(type());
    }
}
