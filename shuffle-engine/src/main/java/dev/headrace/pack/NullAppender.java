package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;

/** A null column: its length is all there is. */
final class NullAppender extends ColumnAppender {
    private long rows;

    NullAppender(DataType type) {
        super(type);
    }

    @Override
    long rows() {
        return rows;
    }

    @Override
    void reset() {
        rows = 0;
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        rows += to - from;
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        rows += count;
    }

    @Override
    boolean fits(Column source, long start, long count) {
        return true;
    }

    @Override
    long bytes() {
        return 0;
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows);
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.Null;
    }
}
