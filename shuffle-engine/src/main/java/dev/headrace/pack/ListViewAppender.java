package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;

/** List views, whatever their order in the source: in the block each row's items follow those of the row before. */
final class ListViewAppender extends ColumnAppender {
    private final boolean large;
    private final int width;
    private final Offsets numbers;
    private final Validity validity = new Validity();
    private final Selections wanted = new Selections();
    private final ColumnAppender items;

    ListViewAppender(DataType.ListView type) {
        super(type);
        this.large = type.large();
        this.width = large ? 8 : 4;
        this.numbers = Offsets.of(large);
        this.items = of(type.item());
    }

    @Override
    long rows() {
        return validity.rows();
    }

    @Override
    void reset() {
        validity.reset();
        wanted.reset();
        items.reset();
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        validity.addRows(source, order, from, to);
        wanted.addRows(source, order, from, to);
        for (int i = from; i < to; i++) {
            addItems(source, order[i]);
        }
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        validity.addRange(source, start, count);
        wanted.addRange(source, start, count);
        for (long row = start; row < start + count; row++) {
            addItems(source, row);
        }
    }

    private void addItems(Column source, long row) {
        long size = size(source, row);
        if (size > 0) {
            long total = items.rows() + size;
            if (total < 0 || total > numbers.limit()) {
                throw tooLarge("a list offset", total, numbers.limit());
            }
            items.addRange(
                    source.children().getFirst(), numbers.get(source.buffers().getFirst(), row), size);
        }
    }

    private long size(Column source, long row) {
        if (!source.isValid(row)) {
            return 0;
        }
        long size = numbers.get(source.buffers().get(1), row);
        if (size < 0) {
            throw corrupt("a list size of", size);
        }
        return size;
    }

    @Override
    boolean fits(Column source, long start, long count) {
        long left = numbers.limit() - items.rows();
        Column child = source.children().getFirst();
        long from = 0;
        long end = 0;
        for (long row = start; row < start + count; row++) {
            long size = size(source, row);
            long offset = size == 0 ? end : numbers.get(source.buffers().getFirst(), row);
            if (size > left) {
                return false;
            }
            left -= size;
            if (offset != end) {
                if (end > from && !items.fits(child, from, end - from)) {
                    return false;
                }
                from = offset;
            }
            end = offset + size;
        }
        return end == from || items.fits(child, from, end - from);
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes()) + 2 * LittleEndian.pad8(rows() * width) + items.bytes();
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        MemorySegment target = out.target();
        long offsetsAt = out.place(rows() * width);
        long sizesAt = out.place(rows() * width);
        long row = 0;
        long end = 0;
        for (int i = 0; i < wanted.size(); i++) {
            Column source = wanted.source(i);
            for (long j = wanted.from(i); j < wanted.from(i) + wanted.count(i); j++) {
                long size = size(source, wanted.isRange(i) ? j : wanted.rows(i)[(int) j]);
                numbers.set(target, offsetsAt, row, end);
                numbers.set(target, sizesAt, row, size);
                end += size;
                row++;
            }
        }
        items.write(out);
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.ListView list && list.large() == large;
    }
}
