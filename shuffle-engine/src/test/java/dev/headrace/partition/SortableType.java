package dev.headrace.partition;

import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import dev.headrace.testing.TestTypes;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Values that can be ordered, and the types that can hold all of them. */
record SortableType(List<DataType> types, Values values) {
    private static final String[] WORDS = {
        "",
        "a",
        "b",
        "\0",
        "a\0",
        "abcdefg",
        "abcdefgh",
        "abcdefgh\0",
        "abcdefghi",
        "abcdefghj",
        "a longer one, 1",
        "a longer one, 2",
        "\uffff",
        "\ud83d\ude00",
        "\u00e9",
        "\u007f"
    };

    private enum Values {
        NONE,
        BOOLS,
        SMALL,
        SMALL_NATURALS,
        LONGS,
        NATURALS,
        HUGE,
        FLOATS,
        TEXT,
        PATHS,
        BYTES
    }

    private static final List<SortableType> ALL = List.of(
            new SortableType(List.of(TestTypes.NULL), Values.NONE),
            new SortableType(List.of(TestTypes.BOOL), Values.BOOLS),
            new SortableType(List.of(TestTypes.INT8, TestTypes.INT16, TestTypes.INT32, TestTypes.INT64), Values.SMALL),
            new SortableType(
                    List.of(TestTypes.UINT8, TestTypes.UINT16, TestTypes.UINT32, TestTypes.UINT64),
                    Values.SMALL_NATURALS),
            new SortableType(List.of(TestTypes.INT64), Values.LONGS),
            new SortableType(List.of(TestTypes.UINT64), Values.NATURALS),
            new SortableType(List.of(TestTypes.FLOAT16, TestTypes.FLOAT32, TestTypes.FLOAT64), Values.FLOATS),
            new SortableType(
                    List.of(
                            TestTypes.decimal(4, 9, 2),
                            TestTypes.decimal(8, 18, 2),
                            TestTypes.decimal(16, 38, 2),
                            TestTypes.decimal(32, 76, 2)),
                    Values.SMALL),
            new SortableType(List.of(TestTypes.decimal(16, 38, 0), TestTypes.decimal(32, 76, 0)), Values.HUGE),
            new SortableType(List.of(new DataType.Fixed(4, new Meaning.Date())), Values.SMALL),
            new SortableType(List.of(new DataType.Fixed(8, new Meaning.Date())), Values.LONGS),
            new SortableType(List.of(new DataType.Fixed(4, new Meaning.Time(TimeUnit.SECOND))), Values.SMALL),
            new SortableType(List.of(new DataType.Fixed(8, new Meaning.Duration(TimeUnit.NANOSECOND))), Values.LONGS),
            new SortableType(
                    List.of(
                            TestTypes.timestamp(TimeUnit.MICROSECOND, "UTC"),
                            TestTypes.timestamp(TimeUnit.MICROSECOND, "")),
                    Values.LONGS),
            new SortableType(List.of(TestTypes.STRING, TestTypes.LARGE_STRING, TestTypes.STRING_VIEW), Values.TEXT),
            new SortableType(List.of(TestTypes.BINARY, new DataType.View(false)), Values.TEXT),
            new SortableType(List.of(TestTypes.STRING, TestTypes.STRING_VIEW), Values.PATHS),
            new SortableType(List.of(TestTypes.bytes(3), TestTypes.BINARY), Values.BYTES));

    static SortableType any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    /** One of the types, sometimes as a dictionary or in runs. */
    DataType layout(Random random) {
        DataType plain = types.get(random.nextInt(types.size()));
        return switch (random.nextInt(4)) {
            case 0 -> TestTypes.dictionary(TestTypes.INT16, plain);
            case 1 -> new DataType.RunEnd(4, plain);
            default -> plain;
        };
    }

    /** A value that often comes again; sometimes null. */
    @Nullable
    Object value(Random random) {
        if (random.nextInt(8) == 0) {
            return null;
        }
        return switch (values) {
            case NONE -> null;
            case BOOLS -> random.nextBoolean();
            case SMALL -> (long) random.nextInt(-50, 50);
            case SMALL_NATURALS -> (long) random.nextInt(256);
            case LONGS -> pick(random, Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE, random.nextLong());
            case NATURALS ->
                natural((Long) pick(random, 0L, 1L, Long.MAX_VALUE, Long.MIN_VALUE, -1L, random.nextLong()));
            case HUGE -> huge(random);
            case FLOATS -> pick(random, -0.0, 0.0, 1.5, -1.5, 0x1p-24, Double.NaN, Double.NEGATIVE_INFINITY, 65504.0);
            case TEXT -> WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.UTF_8);
            case PATHS ->
                ("/a/long/way/".substring(0, random.nextInt(8) == 0 ? random.nextInt(12) : 12) + random.nextInt(500))
                        .getBytes(StandardCharsets.UTF_8);
            case BYTES -> new byte[] {(byte) random.nextInt(127, 130), 0, (byte) random.nextInt(-1, 1)};
        };
    }

    private static Object pick(Random random, Object... values) {
        return values[random.nextInt(values.length)];
    }

    private static BigInteger natural(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    private static BigInteger huge(Random random) {
        BigInteger value = BigInteger.valueOf(random.nextInt(-2, 3));
        return random.nextBoolean() ? value : value.shiftLeft(random.nextInt(60, 120));
    }

    /** Compares two rows the plain way. */
    static int compare(
            List<SortableType> types, List<SortKey> order, List<@Nullable Object> a, List<@Nullable Object> b) {
        for (int key = 0; key < types.size(); key++) {
            int found = compare(order.get(key), a.get(key), b.get(key));
            if (found != 0) {
                return found;
            }
        }
        return 0;
    }

    private static int compare(SortKey order, @Nullable Object a, @Nullable Object b) {
        int apart = Integer.compare(group(a), group(b));
        if (apart != 0) {
            return order.nullsFirst() ? -apart : apart;
        }
        if (a == null || b == null || group(a) > 0) {
            return 0;
        }
        int found = compareValues(a, b);
        return order.descending() ? -found : found;
    }

    private static int group(@Nullable Object value) {
        return value == null ? 2 : value instanceof Double number && number.isNaN() ? 1 : 0;
    }

    private static int compareValues(Object a, Object b) {
        return switch (a) {
            case Boolean one -> one.compareTo((Boolean) b);
            case Long one -> one.compareTo((Long) b);
            case BigInteger one -> one.compareTo((BigInteger) b);
            case Double one -> Double.compare(one + 0.0, (Double) b + 0.0);
            case byte[] one -> Arrays.compareUnsigned(one, (byte[]) b);
            default -> throw new IllegalArgumentException("no value " + a);
        };
    }
}
