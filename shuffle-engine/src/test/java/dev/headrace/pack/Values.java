package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** What a row means, as text, in the slowest and plainest way: two columns are equal if these are. */
final class Values {
    private Values() {}

    /** Row {@code row} of all columns. */
    static String row(List<Column> columns, long row) {
        return columns.stream().map(column -> value(column, row)).toList().toString();
    }

    static List<String> rows(List<Column> columns, long rows) {
        List<String> texts = new ArrayList<>();
        for (long row = 0; row < rows; row++) {
            texts.add(row(columns, row));
        }
        return texts;
    }

    static String value(Column column, long row) {
        if (column.type() instanceof DataType.Null || !column.isValid(row)) {
            return "null";
        }
        return switch (column.type()) {
            case DataType.Null _ -> "null";
            case DataType.Bool _ -> Boolean.toString(Column.bit(column.buffers().getFirst(), row));
            case DataType.Fixed fixed -> fixed(column, fixed, row);
            case DataType.Binary binary -> {
                long start = offset(column, 0, binary.large(), row);
                long end = offset(column, 0, binary.large(), row + 1);
                yield hex(column.buffers().get(1), start, end - start);
            }
            case DataType.View _ -> view(column, row);
            case DataType.Varied list -> {
                long start = offset(column, 0, list.large(), row);
                yield items(column, start, offset(column, 0, list.large(), row + 1) - start);
            }
            case DataType.ListView list ->
                items(column, offset(column, 0, list.large(), row), offset(column, 1, list.large(), row));
            case DataType.FixedList list -> items(column, row * list.size(), list.size());
            case DataType.Struct _ -> "{" + row(column.children(), row) + "}";
            case DataType.Union union -> {
                int code = column.buffers().getFirst().get(BYTE, row);
                long at = union.dense() ? column.buffers().get(1).get(INT, row * 4) : row;
                yield code + ":" + value(column.children().get(union.codes().indexOf(code)), at);
            }
            case DataType.Dictionary dictionary -> {
                boolean signed = dictionary.index().meaning() instanceof Meaning.SignedInt;
                long index = Integers.get(
                        column.buffers().getFirst(), dictionary.index().widthBytes(), signed, row);
                yield value(column.children().getFirst(), index);
            }
            case DataType.RunEnd runs -> {
                MemorySegment ends = column.children().getFirst().buffers().getFirst();
                long run = 0;
                while (Integers.get(ends, runs.endWidthBytes(), true, run) <= row) {
                    run++;
                }
                yield value(column.children().get(1), run);
            }
        };
    }

    private static String fixed(Column column, DataType.Fixed type, long row) {
        MemorySegment values = column.buffers().getFirst();
        return switch (type.meaning()) {
            case Meaning.SignedInt _ -> Long.toString(Integers.get(values, type.widthBytes(), true, row));
            case Meaning.UnsignedInt _ -> Long.toUnsignedString(Integers.get(values, type.widthBytes(), false, row));
            default -> hex(values, row * type.widthBytes(), type.widthBytes());
        };
    }

    private static String view(Column column, long row) {
        MemorySegment views = column.buffers().getFirst();
        int length = views.get(INT, row * 16);
        return length <= 12
                ? hex(views, row * 16 + 4, length)
                : hex(column.buffers().get(1 + views.get(INT, row * 16 + 8)), views.get(INT, row * 16 + 12), length);
    }

    private static String items(Column column, long start, long count) {
        List<String> items = new ArrayList<>();
        for (long i = start; i < start + count; i++) {
            items.add(value(column.children().getFirst(), i));
        }
        return items.toString();
    }

    private static long offset(Column column, int buffer, boolean large, long index) {
        return Offsets.of(large).get(column.buffers().get(buffer), index);
    }

    private static String hex(MemorySegment bytes, long start, long length) {
        return "x" + HexFormat.of().formatHex(bytes.asSlice(start, length).toArray(BYTE));
    }
}
