package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Type codes and offsets; every row gets a value of its own in its child, values that no row has stay behind. */
final class DenseUnionAppender extends ColumnAppender {
    private static final int NO_CHILD = -1;

    private final DataType.Union type;
    private final int[] childOfCode = new int[128];
    private final ColumnAppender[] children;
    /** Per child, the source rows that it was and will be asked for. */
    private final IntList[] childRows;

    private final int[] passedOn;
    private final IntList offsets = new IntList();
    private byte[] codes = new byte[64];

    DenseUnionAppender(DataType.Union type) {
        super(type);
        this.type = type;
        this.children = of(type.children());
        this.childRows = new IntList[children.length];
        this.passedOn = new int[children.length];
        Arrays.fill(childOfCode, NO_CHILD);
        for (int i = 0; i < children.length; i++) {
            childRows[i] = new IntList();
            childOfCode[type.codes().get(i)] = i;
        }
    }

    @Override
    long rows() {
        return offsets.size();
    }

    @Override
    void reset() {
        offsets.clear();
        for (int i = 0; i < children.length; i++) {
            childRows[i].clear();
            passedOn[i] = 0;
            children[i].reset();
        }
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        reserve(to - from);
        for (int i = from; i < to; i++) {
            add(source, order[i]);
        }
        passOn(source);
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        reserve(count);
        for (long row = start; row < start + count; row++) {
            add(source, row);
        }
        passOn(source);
    }

    private void add(Column source, long row) {
        byte code = source.buffers().getFirst().get(BYTE, row);
        int child = childOf(code);
        codes[offsets.size()] = code;
        offsets.add(childRows[child].size());
        childRows[child].add(source.buffers().get(1).get(INT, row << 2));
    }

    private int childOf(byte code) {
        int child = code < 0 ? NO_CHILD : childOfCode[code];
        if (child == NO_CHILD) {
            throw corrupt("the unknown type code", code);
        }
        return child;
    }

    private void passOn(Column source) {
        for (int i = 0; i < children.length; i++) {
            int end = childRows[i].size();
            if (end > passedOn[i]) {
                children[i].addRows(source.children().get(i), childRows[i].array(), passedOn[i], end);
                passedOn[i] = end;
            }
        }
    }

    private void reserve(long count) {
        int needed = Math.toIntExact(offsets.size() + count);
        if (needed > codes.length) {
            codes = Arrays.copyOf(codes, Math.max(needed, codes.length * 2));
        }
    }

    @Override
    boolean fits(Column source, long start, long count) {
        if (count > IntList.MAX_SIZE - offsets.size()) {
            return false;
        }
        for (int child = 0; child < children.length; child++) {
            long least = Long.MAX_VALUE;
            long most = -1;
            for (long row = start; row < start + count; row++) {
                if (childOf(source.buffers().getFirst().get(BYTE, row)) == child) {
                    int offset = source.buffers().get(1).get(INT, row << 2);
                    least = Math.min(least, offset);
                    most = Math.max(most, offset);
                }
            }
            if (most >= 0 && !children[child].fits(source.children().get(child), least, most - least + 1)) {
                return false;
            }
        }
        return true;
    }

    @Override
    long bytes() {
        long bytes = LittleEndian.pad8(rows()) + LittleEndian.pad8(rows() * 4);
        for (ColumnAppender child : children) {
            bytes += child.bytes();
        }
        return bytes;
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        MemorySegment target = out.target();
        MemorySegment.copy(codes, 0, target, BYTE, out.place(rows()), offsets.size());
        MemorySegment.copy(offsets.array(), 0, target, INT, out.place(rows() * 4), offsets.size());
        for (ColumnAppender child : children) {
            child.write(out);
        }
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.Union union
                && union.dense()
                && union.codes().equals(type.codes());
    }
}
