package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;

/** Lists, large lists and maps: the child is taken by ranges, one per row or one for many rows that lie together. */
final class ListAppender extends ColumnAppender {
    private final boolean large;
    private final boolean map;
    private final Offsets offsets;
    private final Validity validity = new Validity();
    private final Selections wanted = new Selections();
    private final ColumnAppender items;

    ListAppender(DataType.Varied type) {
        super(type);
        this.large = type.large();
        this.map = type.map();
        this.offsets = Offsets.of(large);
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
        MemorySegment bounds = source.buffers().getFirst();
        MemorySegment bitmap = source.validity();
        Column child = source.children().getFirst();
        for (int i = from; i < to; i++) {
            int row = order[i];
            if (bitmap == null || Column.bit(bitmap, row)) {
                addItems(child, bounds, row);
            }
        }
        checkLimit();
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        long nulls = validity.nulls();
        validity.addRange(source, start, count);
        wanted.addRange(source, start, count);
        MemorySegment bounds = source.buffers().getFirst();
        Column child = source.children().getFirst();
        if (validity.nulls() == nulls) {
            long length = offsets.lengthOfRange(source, start, count);
            if (length > 0) {
                items.addRange(child, offsets.get(bounds, start), length);
            }
        } else {
            for (long row = start; row < start + count; row++) {
                if (source.isValid(row)) {
                    addItems(child, bounds, row);
                }
            }
        }
        checkLimit();
    }

    private void addItems(Column child, MemorySegment bounds, long row) {
        long length = offsets.length(bounds, row);
        if (length > 0) {
            items.addRange(child, offsets.get(bounds, row), length);
        }
    }

    private void checkLimit() {
        if (items.rows() > offsets.limit()) {
            throw tooLarge("a list offset", items.rows(), offsets.limit());
        }
    }

    @Override
    boolean fits(Column source, long start, long count) {
        long length = offsets.lengthOfRange(source, start, count);
        return length <= offsets.limit() - items.rows()
                && (length == 0
                        || items.fits(
                                source.children().getFirst(),
                                offsets.get(source.buffers().getFirst(), start),
                                length));
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes()) + LittleEndian.pad8(offsets.bytes(rows())) + items.bytes();
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        offsets.write(wanted, out.target(), out.place(offsets.bytes(rows())), rows());
        items.write(out);
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.Varied list && list.large() == large && list.map() == map;
    }
}
