package dev.headrace.pack;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds one column of a block in two passes: {@code addRows} and {@code addRange} count and note what is wanted,
 * {@link #write} copies. Sources and row numbers must stay as they are in between. One thread; reused after
 * {@link #reset}. After an exception only {@code reset} makes sense.
 */
abstract class ColumnAppender {
    private final DataType type;
    private @Nullable DataType lastSourceType;

    ColumnAppender(DataType type) {
        this.type = type;
    }

    static ColumnAppender of(DataType type) {
        return switch (type) {
            case DataType.Null _ -> new NullAppender(type);
            case DataType.Bool _ -> new BoolAppender(type);
            case DataType.Fixed fixed -> new FixedAppender(fixed);
            case DataType.Binary binary -> new BinaryAppender(binary);
            case DataType.View view -> new ViewAppender(view);
            case DataType.Varied list -> new ListAppender(list);
            case DataType.ListView list -> new ListViewAppender(list);
            case DataType.FixedList list -> new FixedListAppender(list);
            case DataType.Struct struct -> new StructAppender(struct);
            case DataType.Union union -> union.dense() ? new DenseUnionAppender(union) : new SparseUnionAppender(union);
            case DataType.Dictionary dictionary -> new DictionaryAppender(dictionary);
            case DataType.RunEnd runs -> new RunEndAppender(runs);
        };
    }

    static ColumnAppender[] of(Iterable<DataType> types) {
        List<ColumnAppender> appenders = new ArrayList<>();
        types.forEach(type -> appenders.add(of(type)));
        return appenders.toArray(new ColumnAppender[0]);
    }

    final DataType type() {
        return type;
    }

    /** Rows counted since the last reset. */
    abstract long rows();

    abstract void reset();

    /** Takes rows {@code order[from .. to)} of the source; {@code from < to}. */
    abstract void addRows(Column source, int[] order, int from, int to);

    /** Takes rows {@code [start, start + count)} of the source; {@code count > 0}. */
    abstract void addRange(Column source, long start, long count);

    /** Whether the range can be added without an offset, index or run end out of bounds; changes nothing. */
    abstract boolean fits(Column source, long start, long count);

    /** Exact bytes of this column's buffers and its children's, each padded to 8. */
    abstract long bytes();

    /** Copies everything to the output, own buffers first, then the children. */
    abstract void write(BlockOutput out);

    /** Whether a source of this type can be appended without looking at its children. */
    abstract boolean accepts(DataType source);

    // The type object is the same from call to call; equals() would walk nested types for every list row.
    @SuppressWarnings("ReferenceEquality")
    final void check(Column source) {
        if (source.type() != lastSourceType) {
            if (!accepts(source.type())) {
                throw HeadraceException.invalidInput(
                        "a column of type " + source.type() + " can't be packed as " + type);
            }
            lastSourceType = source.type();
        }
    }

    static HeadraceException tooLarge(String what, long value, long limit) {
        return HeadraceException.outOfMemory("a block would need " + what + " of " + value + ", the limit is " + limit);
    }

    static HeadraceException corrupt(String what, long value) {
        return HeadraceException.corruptData("column has " + what + " " + value);
    }
}
