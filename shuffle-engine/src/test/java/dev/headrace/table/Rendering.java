package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Prints columns as {@code make_streams.py} does, by the rules of Arrow alone. */
final class Rendering {
    /** More rows than any fixture has; what a corrupt stream claims is not all printed. */
    private static final long MOST_ROWS = 10_000;

    private Rendering() {}

    static String of(Schema schema, Chunk chunk) {
        StringBuilder text = new StringBuilder(chunk.rows() + " rows\n");
        for (int i = 0; i < chunk.columns().size(); i++) {
            String line = schema.names().get(i) + ": " + rows(chunk.columns().get(i), 0, chunk.rows());
            text.append(line.stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String rows(Column column, long from, long count) {
        return LongStream.range(from, from + Math.min(count, MOST_ROWS))
                .mapToObj(row -> value(column, row))
                .collect(Collectors.joining(" "));
    }

    private static String value(Column column, long row) {
        if (!column.isValid(row)) {
            return "null";
        }
        return switch (column.type()) {
            case DataType.Null _ -> "null";
            case DataType.Bool _ -> Boolean.toString(Column.bit(column.buffers().getFirst(), row));
            case DataType.Fixed fixed -> hex(column.buffers().getFirst(), row * fixed.widthBytes(), fixed.widthBytes());
            case DataType.Binary binary -> {
                MemorySegment offsets = column.buffers().getFirst();
                long start = Words.offset(offsets, binary.large(), row);
                yield hex(column.buffers().get(1), start, Words.offset(offsets, binary.large(), row + 1) - start);
            }
            case DataType.View _ -> view(column, row);
            case DataType.Struct _ ->
                column.children().stream().map(child -> value(child, row)).collect(Collectors.joining(" ", "{", "}"));
            case DataType.Union union -> {
                int code = column.buffers().getFirst().get(ValueLayout.JAVA_BYTE, row);
                long place = union.dense() ? column.buffers().get(1).get(Words.INT, row << 2) : row;
                yield code + ":" + value(column.children().get(union.codes().indexOf(code)), place);
            }
            case DataType.Dictionary dictionary -> {
                int width = dictionary.index().widthBytes();
                long mask = width < 8 ? (1L << (8 * width)) - 1 : -1;
                long index = Words.signed(column.buffers().getFirst(), width, row) & mask;
                yield value(column.children().getFirst(), index);
            }
            case DataType.RunEnd runs -> {
                MemorySegment ends = column.children().getFirst().buffers().getFirst();
                long run = 0;
                while (Words.signed(ends, runs.endWidthBytes(), run) <= row) {
                    run++;
                }
                yield value(column.children().get(1), run);
            }
            default -> list(column, row);
        };
    }

    private static String list(Column column, long row) {
        long start;
        long size;
        switch (column.type()) {
            case DataType.FixedList list -> {
                start = row * list.size();
                size = list.size();
            }
            case DataType.ListView list -> {
                start = Words.offset(column.buffers().get(0), list.large(), row);
                size = Words.offset(column.buffers().get(1), list.large(), row);
            }
            case DataType.Varied list -> {
                start = Words.offset(column.buffers().getFirst(), list.large(), row);
                size = Words.offset(column.buffers().getFirst(), list.large(), row + 1) - start;
            }
            default -> throw new AssertionError(column.type());
        }
        return "[" + rows(column.children().getFirst(), start, size) + "]";
    }

    private static String view(Column column, long row) {
        MemorySegment views = column.buffers().getFirst();
        int length = views.get(Words.INT, row << 4);
        if (length <= 12) {
            return hex(views, (row << 4) + 4, length);
        }
        int buffer = views.get(Words.INT, (row << 4) + 8);
        return hex(column.buffers().get(1 + buffer), views.get(Words.INT, (row << 4) + 12), length);
    }

    private static String hex(MemorySegment bytes, long from, long length) {
        return "x" + HexFormat.of().formatHex(bytes.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE));
    }
}
