package dev.headrace.table;

import com.google.flatbuffers.Table;
import dev.headrace.HeadraceException;
import dev.headrace.table.DataType.Fixed;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
import org.apache.arrow.flatbuf.Map;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.Time;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.flatbuf.UnionMode;

/** The type of one flatbuffers field as {@link DataType}, with every width and child count checked. */
final class TypeDecoder {
    private final org.apache.arrow.flatbuf.Field field;
    private final String name;
    private final List<Field> children;

    TypeDecoder(org.apache.arrow.flatbuf.Field field, String name, List<Field> children) {
        this.field = field;
        this.name = name;
        this.children = children;
    }

    /** The type without its dictionary encoding. */
    DataType decode() {
        return switch (field.typeType()) {
            case Type.Null -> new DataType.Null();
            case Type.Bool -> new DataType.Bool();
            case Type.Int -> integer(header(new Int()));
            case Type.FloatingPoint -> floating(header(new FloatingPoint()));
            case Type.Decimal -> decimal(header(new Decimal()));
            case Type.Date, Type.Time, Type.Timestamp, Type.Duration, Type.Interval -> temporal();
            case Type.Binary -> new DataType.Binary(false, false);
            case Type.Utf8 -> new DataType.Binary(false, true);
            case Type.LargeBinary -> new DataType.Binary(true, false);
            case Type.LargeUtf8 -> new DataType.Binary(true, true);
            case Type.BinaryView -> new DataType.View(false);
            case Type.Utf8View -> new DataType.View(true);
            case Type.FixedSizeBinary ->
                new Fixed(notNegative(header(new FixedSizeBinary()).byteWidth()), new Meaning.Bytes());
            default -> nested();
        };
    }

    static Fixed integer(Int type) {
        int bits = type.bitWidth();
        if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
            throw HeadraceException.corruptData("an integer of " + bits + " bits in an Arrow schema");
        }
        return new Fixed(bits / 8, type.isSigned() ? new Meaning.SignedInt() : new Meaning.UnsignedInt());
    }

    private Fixed floating(FloatingPoint type) {
        return switch (type.precision()) {
            case Precision.HALF -> new Fixed(2, new Meaning.Floating());
            case Precision.SINGLE -> new Fixed(4, new Meaning.Floating());
            case Precision.DOUBLE -> new Fixed(8, new Meaning.Floating());
            default -> throw wrong("precision " + type.precision());
        };
    }

    private Fixed decimal(Decimal type) {
        return switch (type.bitWidth()) {
            case 32, 64, 128, 256 ->
                new Fixed(type.bitWidth() / 8, new Meaning.Decimal(type.precision(), type.scale()));
            default -> throw wrong("decimal of " + type.bitWidth() + " bits");
        };
    }

    private Fixed temporal() {
        return switch (field.typeType()) {
            case Type.Date -> new Fixed(header(new Date()).unit() == DateUnit.DAY ? 4 : 8, new Meaning.Date());
            case Type.Time -> time(header(new Time()));
            case Type.Timestamp -> timestamp(header(new Timestamp()));
            case Type.Duration ->
                new Fixed(8, new Meaning.Duration(unit(header(new Duration()).unit())));
            default -> interval(header(new Interval()));
        };
    }

    private Fixed time(Time type) {
        TimeUnit unit = unit(type.unit());
        int bits = type.bitWidth();
        boolean coarse = unit == TimeUnit.SECOND || unit == TimeUnit.MILLISECOND;
        if (bits != (coarse ? 32 : 64)) {
            throw wrong("time of " + bits + " bits in unit " + unit);
        }
        return new Fixed(bits / 8, new Meaning.Time(unit));
    }

    private Fixed timestamp(Timestamp type) {
        ByteBuffer zone = type.timezoneAsByteBuffer();
        String text = zone == null ? "" : StandardCharsets.UTF_8.decode(zone).toString();
        return new Fixed(8, new Meaning.Timestamp(unit(type.unit()), text));
    }

    private Fixed interval(Interval type) {
        return switch (type.unit()) {
            case IntervalUnit.YEAR_MONTH -> new Fixed(4, new Meaning.Interval());
            case IntervalUnit.DAY_TIME -> new Fixed(8, new Meaning.Interval());
            case IntervalUnit.MONTH_DAY_NANO -> new Fixed(16, new Meaning.Interval());
            default -> throw wrong("interval unit " + type.unit());
        };
    }

    private TimeUnit unit(short unit) {
        return switch (unit) {
            case org.apache.arrow.flatbuf.TimeUnit.SECOND -> TimeUnit.SECOND;
            case org.apache.arrow.flatbuf.TimeUnit.MILLISECOND -> TimeUnit.MILLISECOND;
            case org.apache.arrow.flatbuf.TimeUnit.MICROSECOND -> TimeUnit.MICROSECOND;
            case org.apache.arrow.flatbuf.TimeUnit.NANOSECOND -> TimeUnit.NANOSECOND;
            default -> throw wrong("time unit " + unit);
        };
    }

    private DataType nested() {
        return switch (field.typeType()) {
            case Type.List -> new DataType.Varied(false, false, false, item());
            case Type.LargeList -> new DataType.Varied(true, false, false, item());
            case Type.ListView -> new DataType.ListView(false, item());
            case Type.LargeListView -> new DataType.ListView(true, item());
            case Type.FixedSizeList ->
                new DataType.FixedList(notNegative(header(new FixedSizeList()).listSize()), item());
            case Type.Struct_ ->
                new DataType.Struct(children.stream().map(Field::type).toList());
            case Type.Map -> map(header(new Map()));
            case Type.Union -> union(header(new Union()));
            case Type.RunEndEncoded -> runEnd();
            default ->
                throw HeadraceException.invalidInput(
                        "column " + name + " has an Arrow type that is not known here: number " + field.typeType());
        };
    }

    private DataType map(Map type) {
        DataType item = item();
        if (!(item instanceof DataType.Struct entry) || entry.fields().size() != 2) {
            throw wrong("map whose entries are no pairs");
        }
        return new DataType.Varied(false, true, type.keysSorted(), item);
    }

    private DataType union(Union type) {
        int given = type.typeIdsLength();
        if (given != 0 && given != children.size()) {
            throw wrong("union with " + given + " type codes and " + children.size() + " children");
        }
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            int code = given == 0 ? i : type.typeIds(i);
            if (code < 0 || code > Byte.MAX_VALUE || codes.contains(code)) {
                throw wrong("union with type code " + code);
            }
            codes.add(code);
        }
        List<DataType> types = children.stream().map(Field::type).toList();
        return new DataType.Union(type.mode() == UnionMode.Dense, List.copyOf(codes), types);
    }

    private DataType runEnd() {
        if (children.size() != 2) {
            throw wrong("run-end encoding with " + children.size() + " children");
        }
        if (!(children.get(0).type() instanceof Fixed ends)
                || !(ends.meaning() instanceof Meaning.SignedInt)
                || ends.widthBytes() < 2) {
            throw wrong("run ends of type " + children.get(0).type());
        }
        return new DataType.RunEnd(ends.widthBytes(), children.get(1).type());
    }

    private DataType item() {
        if (children.size() != 1) {
            throw wrong("list with " + children.size() + " children");
        }
        return children.get(0).type();
    }

    private int notNegative(int size) {
        if (size < 0) {
            throw wrong("size of " + size);
        }
        return size;
    }

    private <T extends Table> T header(T type) {
        if (field.type(type) == null) {
            throw wrong("type without its details");
        }
        return type;
    }

    private HeadraceException wrong(String what) {
        return HeadraceException.corruptData("column " + name + " has a " + what + " in its Arrow schema");
    }
}
