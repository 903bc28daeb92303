package dev.headrace.testing;

import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Fixed;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import java.util.ArrayList;
import java.util.List;

/** Short names for types, and a list of every kind of type there is. */
public final class TestTypes {
    public static final Fixed INT8 = signed(1);
    public static final Fixed INT16 = signed(2);
    public static final Fixed INT32 = signed(4);
    public static final Fixed INT64 = signed(8);
    public static final Fixed UINT8 = unsigned(1);
    public static final Fixed UINT16 = unsigned(2);
    public static final Fixed UINT32 = unsigned(4);
    public static final Fixed UINT64 = unsigned(8);
    public static final Fixed FLOAT16 = new Fixed(2, new Meaning.Floating());
    public static final Fixed FLOAT32 = new Fixed(4, new Meaning.Floating());
    public static final Fixed FLOAT64 = new Fixed(8, new Meaning.Floating());
    public static final DataType NULL = new DataType.Null();
    public static final DataType BOOL = new DataType.Bool();
    public static final DataType BINARY = new DataType.Binary(false, false);
    public static final DataType STRING = new DataType.Binary(false, true);
    public static final DataType LARGE_STRING = new DataType.Binary(true, true);
    public static final DataType STRING_VIEW = new DataType.View(true);

    private TestTypes() {}

    public static Fixed signed(int widthBytes) {
        return new Fixed(widthBytes, new Meaning.SignedInt());
    }

    public static Fixed unsigned(int widthBytes) {
        return new Fixed(widthBytes, new Meaning.UnsignedInt());
    }

    public static Fixed bytes(int widthBytes) {
        return new Fixed(widthBytes, new Meaning.Bytes());
    }

    public static Fixed decimal(int widthBytes, int precision, int scale) {
        return new Fixed(widthBytes, new Meaning.Decimal(precision, scale));
    }

    public static Fixed timestamp(TimeUnit unit, String zone) {
        return new Fixed(8, new Meaning.Timestamp(unit, zone));
    }

    public static DataType list(DataType item) {
        return new DataType.Varied(false, false, false, item);
    }

    public static DataType map(DataType key, DataType value) {
        return new DataType.Varied(false, true, false, struct(key, value));
    }

    public static DataType struct(DataType... fields) {
        return new DataType.Struct(List.of(fields));
    }

    /** Type codes are 5, 12, 19 and so on: no child numbers. */
    public static DataType union(boolean dense, DataType... children) {
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < children.length; i++) {
            codes.add(5 + 7 * i);
        }
        return new DataType.Union(dense, List.copyOf(codes), List.of(children));
    }

    public static DataType dictionary(Fixed index, DataType values) {
        return new DataType.Dictionary(index, false, values);
    }

    /** Types of every kind, plain and nested; none deeper than a test can read. */
    public static List<DataType> all() {
        return List.of(
                NULL,
                BOOL,
                INT8,
                INT16,
                INT32,
                INT64,
                UINT8,
                UINT16,
                UINT32,
                UINT64,
                FLOAT16,
                FLOAT32,
                FLOAT64,
                decimal(4, 9, 4),
                decimal(8, 18, 0),
                decimal(16, 20, -4),
                decimal(32, 76, 76),
                bytes(0),
                bytes(3),
                timestamp(TimeUnit.NANOSECOND, "Europe/Vaduz"),
                new Fixed(16, new Meaning.Interval()),
                STRING,
                BINARY,
                LARGE_STRING,
                STRING_VIEW,
                new DataType.View(false),
                list(INT16),
                list(BOOL),
                list(list(STRING)),
                new DataType.Varied(true, false, false, STRING_VIEW),
                new DataType.ListView(false, STRING),
                new DataType.ListView(true, INT8),
                new DataType.FixedList(3, BOOL),
                new DataType.FixedList(0, INT32),
                new DataType.FixedList(2, new DataType.FixedList(2, STRING)),
                struct(),
                struct(INT8, list(STRING), NULL),
                map(STRING, INT64),
                union(false, INT32, STRING),
                union(true, INT64, STRING_VIEW, list(INT8)),
                dictionary(INT8, STRING),
                dictionary(UINT16, FLOAT64),
                dictionary(INT64, struct(INT8, STRING)),
                list(dictionary(INT32, STRING)),
                dictionary(INT8, list(dictionary(INT8, BOOL))),
                new DataType.RunEnd(2, STRING),
                new DataType.RunEnd(4, BOOL),
                new DataType.RunEnd(8, list(INT8)),
                list(struct(map(STRING, list(decimal(16, 20, 3))), NULL)));
    }
}
