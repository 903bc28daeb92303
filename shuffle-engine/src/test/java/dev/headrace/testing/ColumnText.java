package dev.headrace.testing;

import dev.headrace.table.Chunk;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a column holds, as text, for comparing it bit by bit however it is encoded: null, true, false, {@code x} and the
 * hex bytes of a fixed-width value as they lie, {@code b} and the hex bytes of a string or binary, {@code [items]},
 * {@code (fields)}, {@code code:value}. Dictionaries and run ends show what they stand for. Slow and simple.
 */
public final class ColumnText {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private ColumnText() {}

    /** One text per row. */
    public static List<String> of(Column column) {
        List<String> texts = new ArrayList<>();
        for (long row = 0; row < column.rows(); row++) {
            texts.add(of(column, row));
        }
        return texts;
    }

    /** A line for the number of rows, then one per column. */
    public static String of(Chunk chunk) {
        return "rows " + chunk.rows() + "\n"
                + chunk.columns().stream()
                        .map(column -> String.join(" ", of(column)) + "\n")
                        .collect(Collectors.joining());
    }

    /** The text of one row. */
    public static String of(Column column, long row) {
        if (!column.isValid(row)) {
            return "null";
        }
        return switch (column.type()) {
            case DataType.Null ignored -> "null";
            case DataType.Bool ignored ->
                String.valueOf(Column.bit(column.buffers().get(0), row));
            case DataType.Fixed fixed ->
                "x" + hex(column.buffers().get(0), row * fixed.widthBytes(), fixed.widthBytes());
            case DataType.Binary binary -> {
                long start = word(column, 0, binary.large() ? 8 : 4, row);
                long end = word(column, 0, binary.large() ? 8 : 4, row + 1);
                yield "b" + hex(column.buffers().get(1), start, end - start);
            }
            case DataType.View ignored -> view(column, row << 4);
            case DataType.Varied list -> {
                int width = list.large() ? 8 : 4;
                yield items(column, word(column, 0, width, row), word(column, 0, width, row + 1));
            }
            case DataType.ListView list -> {
                long start = word(column, 0, list.large() ? 8 : 4, row);
                yield items(column, start, start + word(column, 1, list.large() ? 8 : 4, row));
            }
            case DataType.FixedList list -> items(column, row * list.size(), (row + 1) * list.size());
            case DataType.Struct ignored ->
                column.children().stream().map(child -> of(child, row)).collect(Collectors.joining(" ", "(", ")"));
            case DataType.Union union -> union(column, union, row);
            case DataType.Dictionary dictionary -> of(column.children().get(0), index(column, dictionary, row));
            case DataType.RunEnd runs -> of(column.children().get(1), run(column, runs.endWidthBytes(), row));
        };
    }

    private static String view(Column column, long at) {
        MemorySegment views = column.buffers().get(0);
        int length = views.get(INT, at);
        if (length <= 12) {
            return "b" + hex(views, at + 4, length);
        }
        return "b" + hex(column.buffers().get(1 + views.get(INT, at + 8)), views.get(INT, at + 12), length);
    }

    private static String items(Column column, long start, long end) {
        List<String> items = new ArrayList<>();
        for (long i = start; i < end; i++) {
            items.add(of(column.children().get(0), i));
        }
        return "[" + String.join(" ", items) + "]";
    }

    private static String union(Column column, DataType.Union type, long row) {
        int code = column.buffers().get(0).get(ValueLayout.JAVA_BYTE, row);
        long place = type.dense() ? word(column, 1, 4, row) : row;
        return code + ":" + of(column.children().get(type.codes().indexOf(code)), place);
    }

    private static long index(Column column, DataType.Dictionary type, long row) {
        int width = type.index().widthBytes();
        long index = word(column, 0, width, row);
        boolean signed = type.index().meaning() instanceof DataType.Meaning.SignedInt;
        return signed || width == 8 ? index : index & ((1L << (8 * width)) - 1);
    }

    private static long run(Column column, int width, long row) {
        long run = 0;
        while (word(column.children().get(0), 0, width, run) <= row) {
            run++;
        }
        return run;
    }

    private static long word(Column column, int buffer, int width, long index) {
        long word = 0;
        for (int i = width - 1; i >= 0; i--) {
            byte next = column.buffers().get(buffer).get(ValueLayout.JAVA_BYTE, index * width + i);
            word = i == width - 1 ? next : word << 8 | (next & 0xff);
        }
        return word;
    }

    private static String hex(MemorySegment bytes, long start, long length) {
        return HexFormat.of().formatHex(bytes.asSlice(start, length).toArray(ValueLayout.JAVA_BYTE));
    }
}
