package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;

/** Makes columns out of nothing or out of longer ones, without touching a value. */
final class Columns {
    private Columns() {}

    /** A column of no rows. */
    static Column empty(DataType type) {
        List<Column> children = switch (type) {
            case DataType.Varied list -> List.of(empty(list.item()));
            case DataType.ListView list -> List.of(empty(list.item()));
            case DataType.FixedList list -> List.of(empty(list.item()));
            case DataType.Struct struct ->
                struct.fields().stream().map(Columns::empty).toList();
            case DataType.Union union ->
                union.children().stream().map(Columns::empty).toList();
            case DataType.Dictionary dictionary -> List.of(empty(dictionary.values()));
            case DataType.RunEnd runs ->
                List.of(
                        empty(new DataType.Fixed(runs.endWidthBytes(), new DataType.Meaning.SignedInt())),
                        empty(runs.values()));
            default -> List.of();
        };
        return new Column(type, 0, null, Collections.nCopies(bufferCount(type), MemorySegment.NULL), children);
    }

    /** How many buffers a column of the type has, apart from validity and from the data buffers of views. */
    static int bufferCount(DataType type) {
        return switch (type) {
            case DataType.Null ignored -> 0;
            case DataType.Bool ignored -> 1;
            case DataType.Fixed ignored -> 1;
            case DataType.Binary ignored -> 2;
            case DataType.View ignored -> 1;
            case DataType.Varied ignored -> 1;
            case DataType.ListView ignored -> 2;
            case DataType.FixedList ignored -> 0;
            case DataType.Struct ignored -> 0;
            case DataType.Union union -> union.dense() ? 2 : 1;
            case DataType.Dictionary ignored -> 1;
            case DataType.RunEnd ignored -> 0;
        };
    }

    /** The first rows of a column that has at least so many. */
    static Column first(Column column, long rows) {
        if (column.rows() == rows) {
            return column;
        }
        return new Column(
                column.type(),
                rows,
                column.validity(),
                column.buffers(),
                childrenWithin(column.type(), rows, column.children()));
    }

    /**
     * Children cut to what {@code rows} rows of their parent use, where that is a fixed number; Arrow lets them be
     * longer.
     */
    static List<Column> childrenWithin(DataType type, long rows, List<Column> children) {
        long most = switch (type) {
            case DataType.Struct ignored -> rows;
            case DataType.Union union -> union.dense() ? Long.MAX_VALUE : rows;
            case DataType.FixedList list -> list.size() == 0 ? 0 : times(rows, list.size());
            default -> Long.MAX_VALUE;
        };
        return children.stream()
                .map(child -> child.rows() > most ? first(child, most) : child)
                .toList();
    }

    /**
     * The product of two numbers that are not negative, or the largest long if it is larger: more than any buffer has.
     */
    static long times(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
    }
}
