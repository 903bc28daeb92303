package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;

/** Type codes, and every child with the same rows. */
final class SparseUnionAppender extends ColumnAppender {
    private final DataType.Union type;
    private final Selections wanted = new Selections();
    private final ColumnAppender[] children;
    private long rows;

    SparseUnionAppender(DataType.Union type) {
        super(type);
        this.type = type;
        this.children = of(type.children());
    }

    @Override
    long rows() {
        return rows;
    }

    @Override
    void reset() {
        wanted.reset();
        rows = 0;
        for (ColumnAppender child : children) {
            child.reset();
        }
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        wanted.addRows(source, order, from, to);
        rows += to - from;
        for (int i = 0; i < children.length; i++) {
            children[i].addRows(source.children().get(i), order, from, to);
        }
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        wanted.addRange(source, start, count);
        rows += count;
        for (int i = 0; i < children.length; i++) {
            children[i].addRange(source.children().get(i), start, count);
        }
    }

    @Override
    boolean fits(Column source, long start, long count) {
        for (int i = 0; i < children.length; i++) {
            if (!children[i].fits(source.children().get(i), start, count)) {
                return false;
            }
        }
        return true;
    }

    @Override
    long bytes() {
        long bytes = LittleEndian.pad8(rows);
        for (ColumnAppender child : children) {
            bytes += child.bytes();
        }
        return bytes;
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows);
        MemorySegment target = out.target();
        long at = out.place(rows);
        for (int i = 0; i < wanted.size(); i++) {
            MemorySegment codes = wanted.source(i).buffers().getFirst();
            long from = wanted.from(i);
            long count = wanted.count(i);
            if (wanted.isRange(i)) {
                MemorySegment.copy(codes, from, target, at, count);
            } else {
                FixedGather.gather(1, codes, wanted.rows(i), (int) from, (int) (from + count), target, at);
            }
            at += count;
        }
        for (ColumnAppender child : children) {
            child.write(out);
        }
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.Union union
                && !union.dense()
                && union.codes().equals(type.codes());
    }
}
