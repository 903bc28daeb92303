package dev.headrace.table;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.headrace.table.DataType.Fixed;
import dev.headrace.table.DataType.Meaning;
import org.apache.arrow.flatbuf.Binary;
import org.apache.arrow.flatbuf.BinaryView;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Date;
import org.apache.arrow.flatbuf.DateUnit;
import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.Duration;
import org.apache.arrow.flatbuf.FixedSizeBinary;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Interval;
import org.apache.arrow.flatbuf.IntervalUnit;
import org.apache.arrow.flatbuf.LargeBinary;
import org.apache.arrow.flatbuf.LargeList;
import org.apache.arrow.flatbuf.LargeListView;
import org.apache.arrow.flatbuf.LargeUtf8;
import org.apache.arrow.flatbuf.ListView;
import org.apache.arrow.flatbuf.Map;
import org.apache.arrow.flatbuf.Null;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RunEndEncoded;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;
import org.apache.arrow.flatbuf.Utf8;
import org.apache.arrow.flatbuf.Utf8View;

/** Writes one {@link DataType} as a flatbuffers type. */
final class TypeEncoder {
    private final FlatBufferBuilder builder;
    private byte kind = Type.NONE;

    TypeEncoder(FlatBufferBuilder builder) {
        this.builder = builder;
    }

    static int integer(FlatBufferBuilder builder, Fixed type) {
        return Int.createInt(builder, 8 * type.widthBytes(), type.meaning() instanceof Meaning.SignedInt);
    }

    /** Which type the last call of {@link #encode} wrote: a constant of {@link Type}. */
    byte kind() {
        return kind;
    }

    int encode(DataType type) {
        return switch (type) {
            case DataType.Null ignored -> empty(Type.Null);
            case DataType.Bool ignored -> empty(Type.Bool);
            case Fixed fixed -> fixed(fixed);
            case DataType.Binary binary -> empty(binary(binary));
            case DataType.View view -> empty(view.utf8() ? Type.Utf8View : Type.BinaryView);
            case DataType.Varied list ->
                list.map()
                        ? of(Type.Map, Map.createMap(builder, list.keysSorted()))
                        : empty(list.large() ? Type.LargeList : Type.List);
            case DataType.ListView list -> empty(list.large() ? Type.LargeListView : Type.ListView);
            case DataType.FixedList list ->
                of(Type.FixedSizeList, FixedSizeList.createFixedSizeList(builder, list.size()));
            case DataType.Struct ignored -> empty(Type.Struct_);
            case DataType.Union union -> of(Type.Union, union(union));
            case DataType.RunEnd ignored -> empty(Type.RunEndEncoded);
            case DataType.Dictionary ignored ->
                throw new IllegalArgumentException("Arrow has no dictionary directly inside a dictionary");
        };
    }

    private static short unit(DataType.TimeUnit unit) {
        return switch (unit) {
            case SECOND -> TimeUnit.SECOND;
            case MILLISECOND -> TimeUnit.MILLISECOND;
            case MICROSECOND -> TimeUnit.MICROSECOND;
            case NANOSECOND -> TimeUnit.NANOSECOND;
        };
    }

    private static byte binary(DataType.Binary type) {
        if (type.large()) {
            return type.utf8() ? Type.LargeUtf8 : Type.LargeBinary;
        }
        return type.utf8() ? Type.Utf8 : Type.Binary;
    }

    private int of(byte typeKind, int offset) {
        kind = typeKind;
        return offset;
    }

    /** A type that has nothing but its name. */
    private int empty(byte typeKind) {
        kind = typeKind;
        switch (typeKind) {
            case Type.Null -> Null.startNull(builder);
            case Type.Bool -> Bool.startBool(builder);
            case Type.Binary -> Binary.startBinary(builder);
            case Type.LargeBinary -> LargeBinary.startLargeBinary(builder);
            case Type.Utf8 -> Utf8.startUtf8(builder);
            case Type.LargeUtf8 -> LargeUtf8.startLargeUtf8(builder);
            case Type.BinaryView -> BinaryView.startBinaryView(builder);
            case Type.Utf8View -> Utf8View.startUtf8View(builder);
            case Type.List -> org.apache.arrow.flatbuf.List.startList(builder);
            case Type.LargeList -> LargeList.startLargeList(builder);
            case Type.ListView -> ListView.startListView(builder);
            case Type.LargeListView -> LargeListView.startLargeListView(builder);
            case Type.Struct_ -> Struct_.startStruct_(builder);
            default -> RunEndEncoded.startRunEndEncoded(builder);
        }
        return builder.endTable();
    }

    private int fixed(Fixed type) {
        int width = type.widthBytes();
        return switch (type.meaning()) {
            case Meaning.SignedInt ignored -> of(Type.Int, integer(builder, type));
            case Meaning.UnsignedInt ignored -> of(Type.Int, integer(builder, type));
            case Meaning.Floating ignored ->
                of(
                        Type.FloatingPoint,
                        FloatingPoint.createFloatingPoint(
                                builder,
                                width == 2 ? Precision.HALF : width == 4 ? Precision.SINGLE : Precision.DOUBLE));
            case Meaning.Decimal decimal ->
                of(Type.Decimal, Decimal.createDecimal(builder, decimal.precision(), decimal.scale(), 8 * width));
            case Meaning.Date ignored ->
                of(Type.Date, Date.createDate(builder, width == 4 ? DateUnit.DAY : DateUnit.MILLISECOND));
            case Meaning.Time time -> of(Type.Time, Time.createTime(builder, unit(time.unit()), 8 * width));
            case Meaning.Timestamp stamp -> of(Type.Timestamp, timestamp(stamp.unit(), stamp.zone()));
            case Meaning.Duration duration ->
                of(Type.Duration, Duration.createDuration(builder, unit(duration.unit())));
            case Meaning.Interval ignored -> of(Type.Interval, interval(width));
            case Meaning.Bytes ignored ->
                of(Type.FixedSizeBinary, FixedSizeBinary.createFixedSizeBinary(builder, width));
        };
    }

    private int timestamp(DataType.TimeUnit unit, String zone) {
        int text = zone.isEmpty() ? 0 : builder.createString(zone);
        return Timestamp.createTimestamp(builder, unit(unit), text);
    }

    private int interval(int widthBytes) {
        return Interval.createInterval(
                builder,
                switch (widthBytes) {
                    case 4 -> IntervalUnit.YEAR_MONTH;
                    case 8 -> IntervalUnit.DAY_TIME;
                    default -> IntervalUnit.MONTH_DAY_NANO;
                });
    }

    private int union(DataType.Union type) {
        int[] codes = type.codes().stream().mapToInt(Integer::intValue).toArray();
        int vector = Union.createTypeIdsVector(builder, codes);
        return Union.createUnion(builder, type.dense() ? UnionMode.Dense : UnionMode.Sparse, vector);
    }
}
