package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Follows every offset, view, index, type code and run end of a column to see that it stays inside. */
final class BlockCheck {
    private BlockCheck() {}

    static void check(List<Column> columns) {
        columns.forEach(BlockCheck::check);
    }

    private static void check(Column column) {
        if (column.rows() > 0) {
            switch (column.type()) {
                case DataType.Binary binary ->
                    offsets(column, binary.large(), column.buffers().get(1).byteSize());
                case DataType.Varied list ->
                    offsets(column, list.large(), column.children().getFirst().rows());
                case DataType.View _ -> views(column);
                case DataType.ListView list -> listViews(column, list.large());
                case DataType.Union union -> union(column, union);
                case DataType.Dictionary dictionary -> dictionary(column, dictionary.index());
                case DataType.RunEnd runs -> runEnds(column, runs.endWidthBytes());
                case DataType.Null _, DataType.Bool _, DataType.Fixed _, DataType.FixedList _, DataType.Struct _ -> {
                    // Lengths are all there is to check, and columns() did.
                }
            }
        }
        check(column.children());
    }

    private static void offsets(Column column, boolean large, long limit) {
        MemorySegment buffer = column.buffers().getFirst();
        Offsets offsets = Offsets.of(large);
        long last = 0;
        for (long row = 0; row <= column.rows(); row++) {
            long offset = offsets.get(buffer, row);
            require(offset >= last && offset <= limit, "offset", offset, row);
            last = offset;
        }
    }

    private static void views(Column column) {
        MemorySegment views = column.buffers().getFirst();
        long data = column.buffers().get(1).byteSize();
        for (long row = 0; row < column.rows(); row++) {
            long length = views.get(INT, row * 16);
            require(length >= 0, "view length", length, row);
            if (length > 12) {
                require(views.get(INT, row * 16 + 8) == 0, "view buffer", views.get(INT, row * 16 + 8), row);
                long offset = views.get(INT, row * 16 + 12);
                require(offset >= 0 && offset + length <= data, "view offset", offset, row);
            }
        }
    }

    private static void listViews(Column column, boolean large) {
        Offsets numbers = Offsets.of(large);
        long items = column.children().getFirst().rows();
        for (long row = 0; row < column.rows(); row++) {
            long offset = numbers.get(column.buffers().getFirst(), row);
            long size = numbers.get(column.buffers().get(1), row);
            require(offset >= 0 && offset <= items, "list offset", offset, row);
            require(size >= 0 && size <= items - offset, "list size", size, row);
        }
    }

    private static void union(Column column, DataType.Union union) {
        for (long row = 0; row < column.rows(); row++) {
            int code = column.buffers().getFirst().get(BYTE, row);
            int child = union.codes().indexOf(code);
            require(child >= 0, "type code", code, row);
            if (union.dense()) {
                int offset = column.buffers().get(1).get(INT, row * 4);
                require(offset >= 0 && offset < column.children().get(child).rows(), "union offset", offset, row);
            }
        }
    }

    private static void dictionary(Column column, DataType.Fixed index) {
        boolean signed = index.meaning() instanceof Meaning.SignedInt;
        long values = column.children().getFirst().rows();
        for (long row = 0; row < column.rows(); row++) {
            if (column.isValid(row)) {
                long value = Integers.get(column.buffers().getFirst(), index.widthBytes(), signed, row);
                require(value >= 0 && value < values, "dictionary index", value, row);
            }
        }
    }

    private static void runEnds(Column column, int width) {
        Column ends = column.children().getFirst();
        long last = 0;
        for (long run = 0; run < ends.rows(); run++) {
            long end = Integers.get(ends.buffers().getFirst(), width, true, run);
            require(end > last && last < column.rows(), "run end", end, run);
            last = end;
        }
        require(last >= column.rows(), "last run end", last, ends.rows());
    }

    private static void require(boolean condition, String what, long value, long row) {
        if (!condition) {
            throw HeadraceException.corruptData("bad block: " + what + " " + value + " at row " + row);
        }
    }
}
