package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;

/** The same number of child rows for every row; those under a null list travel, too. */
final class FixedListAppender extends ColumnAppender {
    private final int size;
    private final Validity validity = new Validity();
    private final ColumnAppender items;

    FixedListAppender(DataType.FixedList type) {
        super(type);
        this.size = type.size();
        this.items = of(type.item());
    }

    @Override
    long rows() {
        return validity.rows();
    }

    @Override
    void reset() {
        validity.reset();
        items.reset();
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        validity.addRows(source, order, from, to);
        if (size > 0) {
            Column child = source.children().getFirst();
            for (int i = from; i < to; i++) {
                items.addRange(child, (long) order[i] * size, size);
            }
        }
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        validity.addRange(source, start, count);
        if (size > 0) {
            items.addRange(source.children().getFirst(), start * size, count * size);
        }
    }

    @Override
    boolean fits(Column source, long start, long count) {
        return size == 0 || items.fits(source.children().getFirst(), start * size, count * size);
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes()) + items.bytes();
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        items.write(out);
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.FixedList list && list.size() == size;
    }
}
