package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Checks that whoever reads a column by the rules of Arrow stays inside its buffers: lengths, offsets, views, type
 * codes, indices, run ends. One pass, nothing kept; what lies under a null need not make sense. Any thread.
 */
public final class ColumnCheck {
    private final String name;
    private final boolean dictionaries;

    private ColumnCheck(String name, boolean dictionaries) {
        this.name = name;
        this.dictionaries = dictionaries;
    }

    /**
     * Checks a column with all that is in it.
     *
     * @param name what to call the column in the message
     * @throws HeadraceException CORRUPT_DATA at the first thing that is wrong
     */
    public static void check(Column column, String name) {
        new ColumnCheck(name, true).check(column);
    }

    /** The same for a column whose dictionaries have been checked before. */
    static void checkAllButDictionaries(Column column, String name) {
        new ColumnCheck(name, false).check(column);
    }

    private void check(Column column) {
        long rows = column.rows();
        if (column.validity() != null) {
            hold(column.validity(), Validity.bytes(rows), "bitmap");
        }
        switch (column.type()) {
            case DataType.Null ignored -> {}
            case DataType.Bool ignored -> hold(column.buffers().get(0), Validity.bytes(rows), "buffer of bits");
            case DataType.Fixed fixed ->
                hold(column.buffers().get(0), Columns.times(rows, fixed.widthBytes()), "buffer of values");
            case DataType.Binary binary ->
                offsets(column, binary.large(), column.buffers().get(1).byteSize());
            case DataType.View ignored -> views(column);
            case DataType.Varied list ->
                offsets(column, list.large(), column.children().get(0).rows());
            case DataType.ListView list -> listViews(column, list.large());
            case DataType.FixedList list ->
                atLeast(column.children().get(0).rows(), Columns.times(rows, list.size()), "items");
            case DataType.Struct ignored -> children(column);
            case DataType.Union union -> union(column, union);
            case DataType.Dictionary dictionary -> indices(column, dictionary);
            case DataType.RunEnd runs -> runEnds(column, runs.endWidthBytes());
        }
        if (dictionaries || !(column.type() instanceof DataType.Dictionary)) {
            column.children().forEach(this::check);
        }
    }

    private void hold(MemorySegment buffer, long bytes, String what) {
        if (buffer.byteSize() < bytes) {
            throw corrupt("a " + what + " of " + buffer.byteSize() + " bytes where its rows need " + bytes);
        }
    }

    private void atLeast(long rows, long needed, String what) {
        if (rows < needed) {
            throw corrupt(rows + " " + what + " where its rows need " + needed);
        }
    }

    private void offsets(Column column, boolean large, long limit) {
        long rows = column.rows();
        if (rows == 0) {
            return;
        }
        MemorySegment offsets = column.buffers().get(0);
        hold(offsets, Columns.times(rows + 1, Words.offsetBytes(large)), "buffer of offsets");
        long last = Words.offset(offsets, large, 0);
        long anyNegative = last;
        for (long i = 1; i <= rows; i++) {
            long offset = Words.offset(offsets, large, i);
            anyNegative |= offset | (offset - last);
            last = offset;
        }
        if (anyNegative < 0 || last > limit) {
            throw corrupt(
                    "offsets that fall, or that leave their " + limit + " bytes or items (the last is " + last + ")");
        }
    }

    private void views(Column column) {
        MemorySegment views = column.buffers().get(0);
        hold(views, Columns.times(column.rows(), 16), "buffer of views");
        int dataBuffers = column.buffers().size() - 1;
        for (long row = 0; row < column.rows(); row++) {
            int length = views.get(Words.INT, row << 4);
            if ((length >= 0 && length <= 12) || !column.isValid(row)) {
                continue;
            }
            int buffer = views.get(Words.INT, (row << 4) + 8);
            int offset = views.get(Words.INT, (row << 4) + 12);
            if (length < 0
                    || offset < 0
                    || buffer < 0
                    || buffer >= dataBuffers
                    || (long) offset + length > column.buffers().get(1 + buffer).byteSize()) {
                throw corrupt("a view in row " + row + " of " + length + " bytes at byte " + offset + " of buffer "
                        + buffer + ", with " + dataBuffers + " data buffers");
            }
        }
    }

    private void listViews(Column column, boolean large) {
        long bytes = Columns.times(column.rows(), Words.offsetBytes(large));
        hold(column.buffers().get(0), bytes, "buffer of offsets");
        hold(column.buffers().get(1), bytes, "buffer of sizes");
        long items = column.children().get(0).rows();
        for (long row = 0; row < column.rows(); row++) {
            long offset = Words.offset(column.buffers().get(0), large, row);
            long size = Words.offset(column.buffers().get(1), large, row);
            boolean inside = offset >= 0 && size >= 0 && offset <= items && size <= items - offset;
            if (!inside && column.isValid(row)) {
                throw corrupt("a list in row " + row + " of " + size + " items from " + offset + " of " + items);
            }
        }
    }

    private void children(Column column) {
        for (Column child : column.children()) {
            atLeast(child.rows(), column.rows(), "rows in a child");
        }
    }

    private void union(Column column, DataType.Union type) {
        long rows = column.rows();
        MemorySegment codes = column.buffers().get(0);
        hold(codes, rows, "buffer of type codes");
        if (!type.dense()) {
            children(column);
        } else {
            hold(column.buffers().get(1), Columns.times(rows, 4), "buffer of offsets");
        }
        long[] childRows = new long[256];
        for (int i = 0; i < type.codes().size(); i++) {
            childRows[type.codes().get(i)] =
                    type.dense() ? column.children().get(i).rows() : Long.MAX_VALUE;
        }
        for (long row = 0; row < rows; row++) {
            long limit = childRows[codes.get(ValueLayout.JAVA_BYTE, row) & 0xff];
            long place = type.dense() ? column.buffers().get(1).get(Words.INT, row << 2) : 0;
            if (place < 0 || place >= limit) {
                throw corrupt("a union value in row " + row + " with type code " + codes.get(ValueLayout.JAVA_BYTE, row)
                        + " at " + place + " of " + limit);
            }
        }
    }

    private void indices(Column column, DataType.Dictionary type) {
        int width = type.index().widthBytes();
        MemorySegment indices = column.buffers().get(0);
        hold(indices, Columns.times(column.rows(), width), "buffer of indices");
        long values = column.children().get(0).rows();
        long mask = type.index().meaning() instanceof DataType.Meaning.UnsignedInt && width < 8
                ? (1L << (8 * width)) - 1
                : -1;
        for (long row = 0; row < column.rows(); row++) {
            long index = Words.signed(indices, width, row) & mask;
            if ((index < 0 || index >= values) && column.isValid(row)) {
                throw corrupt("index " + index + " in row " + row + " into a dictionary of " + values);
            }
        }
    }

    private void runEnds(Column column, int width) {
        Column ends = column.children().get(0);
        hold(ends.buffers().get(0), Columns.times(ends.rows(), width), "buffer of run ends");
        atLeast(column.children().get(1).rows(), ends.rows(), "values");
        if (ends.validity() != null) {
            throw corrupt("run ends that may be null");
        }
        long last = 0;
        for (long run = 0; run < ends.rows(); run++) {
            long end = Words.signed(ends.buffers().get(0), width, run);
            if (end <= last) {
                throw corrupt("run " + run + " that ends at row " + end + ", after one that ends at " + last);
            }
            last = end;
        }
        if (last < column.rows()) {
            throw corrupt("runs that end at row " + last + " of " + column.rows());
        }
    }

    private HeadraceException corrupt(String what) {
        return HeadraceException.corruptData("column " + name + " has " + what);
    }
}
