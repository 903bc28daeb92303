package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;

/** One bit per row, gathered while counting. */
final class BoolAppender extends ColumnAppender {
    private final Validity validity = new Validity();
    private final Bits values = new Bits();

    BoolAppender(DataType type) {
        super(type);
    }

    @Override
    long rows() {
        return values.size();
    }

    @Override
    void reset() {
        validity.reset();
        values.reset();
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        validity.addRows(source, order, from, to);
        values.appendRows(source.buffers().getFirst(), order, from, to);
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        validity.addRange(source, start, count);
        values.appendRange(source.buffers().getFirst(), start, count);
    }

    @Override
    boolean fits(Column source, long start, long count) {
        return true;
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes()) + LittleEndian.pad8(values.bytes());
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        for (long row = validity.nextNull(0); row >= 0; row = validity.nextNull(row + 1)) {
            values.clear(row);
        }
        values.write(out.target(), out.place(values.bytes()));
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.Bool;
    }
}
