package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;

/** A fixed number of bytes per row, zero under nulls; integers may come from narrower ones of the same sign. */
final class FixedAppender extends ColumnAppender {
    private final int width;
    private final boolean signed;
    private final boolean integer;
    private final Validity validity = new Validity();
    private final Selections wanted = new Selections();

    FixedAppender(DataType.Fixed type) {
        super(type);
        this.width = type.widthBytes();
        this.signed = type.meaning() instanceof Meaning.SignedInt;
        this.integer = signed || type.meaning() instanceof Meaning.UnsignedInt;
    }

    @Override
    long rows() {
        return validity.rows();
    }

    @Override
    void reset() {
        validity.reset();
        wanted.reset();
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        validity.addRows(source, order, from, to);
        wanted.addRows(source, order, from, to);
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        validity.addRange(source, start, count);
        wanted.addRange(source, start, count);
    }

    @Override
    boolean fits(Column source, long start, long count) {
        return true;
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes()) + LittleEndian.pad8(rows() * width);
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        MemorySegment target = out.target();
        long first = out.place(rows() * width);
        long at = first;
        for (int i = 0; i < wanted.size(); i++) {
            Column source = wanted.source(i);
            copy(source, i, target, at, first + rows() * width);
            at += wanted.count(i) * width;
        }
        for (long row = validity.nextNull(0); row >= 0; row = validity.nextNull(row + 1)) {
            FixedGather.clear(target, first + row * width, width);
        }
    }

    private void copy(Column source, int selection, MemorySegment target, long at, long dataEnd) {
        MemorySegment values = source.buffers().getFirst();
        int sourceWidth = ((DataType.Fixed) source.type()).widthBytes();
        long from = wanted.from(selection);
        long count = wanted.count(selection);
        if (wanted.isRange(selection)) {
            if (sourceWidth == width) {
                ShortCopy.copy(values, from * width, target, at, count * width, dataEnd);
            } else {
                Integers.widenRange(values, sourceWidth, signed, from, count, target, at, width);
            }
        } else {
            int[] order = wanted.rows(selection);
            int first = (int) from;
            int end = (int) (from + count);
            if (sourceWidth == width) {
                FixedGather.gather(width, values, order, first, end, target, at);
            } else {
                Integers.widenRows(values, sourceWidth, signed, order, first, end, target, at, width);
            }
        }
    }

    @Override
    boolean accepts(DataType source) {
        if (!(source instanceof DataType.Fixed fixed)) {
            return false;
        }
        if (fixed.widthBytes() == width) {
            return integer == isInteger(fixed) && (!integer || signed == fixed.meaning() instanceof Meaning.SignedInt);
        }
        return integer
                && fixed.widthBytes() < width
                && (signed
                        ? fixed.meaning() instanceof Meaning.SignedInt
                        : fixed.meaning() instanceof Meaning.UnsignedInt);
    }

    private static boolean isInteger(DataType.Fixed fixed) {
        return fixed.meaning() instanceof Meaning.SignedInt || fixed.meaning() instanceof Meaning.UnsignedInt;
    }
}
