package dev.headrace.testing;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes columns of any type out of Java values, in native memory that the garbage collector frees.
 *
 * <p>Values by type: a number, or bytes as they lie, for fixed width; {@code Boolean}; {@code String} or {@code byte[]}
 * for strings, binaries and views; {@code List} of items for lists, of (key, value) lists for maps, of fields for
 * structs; {@link InUnion}; for dictionaries and run ends, what they stand for. Null is null, under which lies nothing.
 * List views lie in reverse order; a dictionary holds each value once, in the order of first use.
 */
public final class TestColumns {
    private TestColumns() {}

    /** A value of a union: the type code of the child, and the child's value. */
    public record InUnion(int code, @Nullable Object value) {}

    public static Column of(DataType type, @Nullable Object... values) {
        return of(type, Arrays.asList(values));
    }

    public static Column of(DataType type, List<? extends @Nullable Object> values) {
        return switch (type) {
            case DataType.Null ignored -> plain(type, values, List.of(), List.of());
            case DataType.Bool ignored -> plain(type, values, List.of(bits(values, Boolean.TRUE::equals)), List.of());
            case DataType.Fixed fixed -> plain(type, values, List.of(fixed(fixed, values)), List.of());
            case DataType.Binary binary -> binary(binary, values);
            case DataType.View ignored -> view(type, values);
            case DataType.Varied list -> varied(list, values);
            case DataType.ListView list -> listView(list, values);
            case DataType.FixedList list -> fixedList(list, values);
            case DataType.Struct struct -> struct(struct, values);
            case DataType.Union union -> union(union, values);
            case DataType.Dictionary dictionary -> dictionary(dictionary, values);
            case DataType.RunEnd runs -> runs(runs, values);
        };
    }

    private static Column plain(
            DataType type,
            List<? extends @Nullable Object> values,
            List<MemorySegment> buffers,
            List<Column> children) {
        boolean anyNull = !(type instanceof DataType.Null) && values.stream().anyMatch(Objects::isNull);
        MemorySegment validity = anyNull ? bits(values, Objects::nonNull) : null;
        return new Column(type, values.size(), validity, buffers, children);
    }

    private static MemorySegment bits(List<? extends @Nullable Object> values, Predicate<@Nullable Object> isSet) {
        byte[] bits = new byte[(values.size() + 7) / 8];
        for (int i = 0; i < values.size(); i++) {
            if (isSet.test(values.get(i))) {
                bits[i >>> 3] |= (byte) (1 << (i & 7));
            }
        }
        return memory(bits);
    }

    /** A copy in native memory that is aligned to 64 bytes. */
    public static MemorySegment memory(byte[] bytes) {
        return Arena.ofAuto().allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
    }

    private static MemorySegment fixed(DataType.Fixed type, List<? extends @Nullable Object> values) {
        int width = type.widthBytes();
        ByteBuffer target = ByteBuffer.allocate(values.size() * width);
        for (Object value : values) {
            target.put(
                    value == null ? new byte[width] : value instanceof byte[] raw ? raw : bytes(type, (Number) value));
        }
        return memory(target.array());
    }

    private static byte[] bytes(DataType.Fixed type, Number value) {
        if (type.meaning() instanceof DataType.Meaning.Floating) {
            return switch (type.widthBytes()) {
                case 2 -> bytes(2, BigInteger.valueOf(Float.floatToFloat16(value.floatValue())));
                case 4 -> bytes(4, BigInteger.valueOf(Float.floatToRawIntBits(value.floatValue())));
                default -> bytes(8, BigInteger.valueOf(Double.doubleToRawLongBits(value.doubleValue())));
            };
        }
        return bytes(type.widthBytes(), value instanceof BigInteger big ? big : BigInteger.valueOf(value.longValue()));
    }

    /** Two's complement, little-endian, cut to the width. */
    private static byte[] bytes(int width, BigInteger value) {
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = value.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }

    private static byte[] bytes(@Nullable Object value) {
        return switch (value) {
            case null -> new byte[0];
            case byte[] raw -> raw;
            default -> ((String) value).getBytes(StandardCharsets.UTF_8);
        };
    }

    private static Column binary(DataType.Binary type, List<? extends @Nullable Object> values) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        List<Long> offsets = new ArrayList<>(List.of(0L));
        for (Object value : values) {
            data.writeBytes(bytes(value));
            offsets.add((long) data.size());
        }
        return plain(
                type, values, List.of(words(type.large() ? 8 : 4, offsets), memory(data.toByteArray())), List.of());
    }

    private static MemorySegment words(int width, List<Long> words) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        words.forEach(word -> bytes.writeBytes(bytes(width, BigInteger.valueOf(word))));
        return memory(bytes.toByteArray());
    }

    /** Long values go by turns to two data buffers. */
    private static Column view(DataType type, List<? extends @Nullable Object> values) {
        List<ByteArrayOutputStream> data = List.of(new ByteArrayOutputStream(), new ByteArrayOutputStream());
        ByteBuffer views = ByteBuffer.allocate(16 * values.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < values.size(); i++) {
            byte[] value = bytes(values.get(i));
            views.position(16 * i).putInt(value.length);
            if (value.length <= 12) {
                views.put(value);
                continue;
            }
            views.put(value, 0, 4).putInt(i % 2).putInt(data.get(i % 2).size());
            data.get(i % 2).writeBytes(value);
        }
        List<MemorySegment> buffers = new ArrayList<>(List.of(memory(views.array())));
        data.forEach(buffer -> buffers.add(memory(buffer.toByteArray())));
        return plain(type, values, buffers, List.of());
    }

    private static List<?> list(@Nullable Object value) {
        return value == null ? List.of() : (List<?>) value;
    }

    private static Column varied(DataType.Varied type, List<? extends @Nullable Object> values) {
        List<@Nullable Object> items = new ArrayList<>();
        List<Long> offsets = new ArrayList<>(List.of(0L));
        for (Object value : values) {
            items.addAll(list(value));
            offsets.add((long) items.size());
        }
        return plain(type, values, List.of(words(type.large() ? 8 : 4, offsets)), List.of(of(type.item(), items)));
    }

    private static Column listView(DataType.ListView type, List<? extends @Nullable Object> values) {
        List<@Nullable Object> items = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        List<Long> sizes = new ArrayList<>();
        for (Object value : values.reversed()) {
            offsets.addFirst((long) items.size());
            sizes.addFirst((long) list(value).size());
            items.addAll(list(value));
        }
        int width = type.large() ? 8 : 4;
        return plain(
                type, values, List.of(words(width, offsets), words(width, sizes)), List.of(of(type.item(), items)));
    }

    private static Column fixedList(DataType.FixedList type, List<? extends @Nullable Object> values) {
        List<@Nullable Object> items = new ArrayList<>();
        for (Object value : values) {
            for (int i = 0; i < type.size(); i++) {
                items.add(value == null ? nothing(type.item()) : list(value).get(i));
            }
        }
        return plain(type, values, List.of(), List.of(of(type.item(), items)));
    }

    /** What stands in a child where the parent is null: null, but a union can't be. */
    private static @Nullable Object nothing(DataType type) {
        return type instanceof DataType.Union union ? new InUnion(union.codes().get(0), null) : null;
    }

    private static Column struct(DataType.Struct type, List<? extends @Nullable Object> values) {
        List<Column> children = new ArrayList<>();
        for (int i = 0; i < type.fields().size(); i++) {
            List<@Nullable Object> child = new ArrayList<>();
            for (Object value : values) {
                child.add(
                        value == null
                                ? nothing(type.fields().get(i))
                                : list(value).get(i));
            }
            children.add(of(type.fields().get(i), child));
        }
        return plain(type, values, List.of(), children);
    }

    private static Column union(DataType.Union type, List<? extends @Nullable Object> values) {
        List<List<@Nullable Object>> children = new ArrayList<>();
        type.codes().forEach(code -> children.add(new ArrayList<>()));
        byte[] codes = new byte[values.size()];
        List<Long> places = new ArrayList<>();
        for (int row = 0; row < codes.length; row++) {
            InUnion value = (InUnion) Objects.requireNonNull(values.get(row));
            codes[row] = (byte) value.code();
            int own = type.codes().indexOf(value.code());
            places.add((long) children.get(own).size());
            for (int i = 0; i < children.size(); i++) {
                if (i == own) {
                    children.get(i).add(value.value());
                } else if (!type.dense()) {
                    children.get(i).add(nothing(type.children().get(i)));
                }
            }
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            columns.add(of(type.children().get(i), children.get(i)));
        }
        List<MemorySegment> buffers = type.dense() ? List.of(memory(codes), words(4, places)) : List.of(memory(codes));
        return new Column(type, values.size(), null, buffers, columns);
    }

    private static Column dictionary(DataType.Dictionary type, List<? extends @Nullable Object> values) {
        List<@Nullable Object> distinct = new ArrayList<>();
        List<Object> known = new ArrayList<>();
        List<@Nullable Object> indices = new ArrayList<>();
        for (Object value : values) {
            if (value == null) {
                indices.add(null);
                continue;
            }
            if (!known.contains(comparable(value))) {
                known.add(comparable(value));
                distinct.add(value);
            }
            indices.add(known.indexOf(comparable(value)));
        }
        return plain(type, indices, List.of(fixed(type.index(), indices)), List.of(of(type.values(), distinct)));
    }

    private static Column runs(DataType.RunEnd type, List<? extends @Nullable Object> values) {
        List<Long> ends = new ArrayList<>();
        List<@Nullable Object> runs = new ArrayList<>();
        for (int row = 0; row < values.size(); row++) {
            if (row > 0 && comparable(values.get(row)).equals(comparable(values.get(row - 1)))) {
                ends.removeLast();
            } else {
                runs.add(values.get(row));
            }
            ends.add(row + 1L);
        }
        Column endColumn = of(new DataType.Fixed(type.endWidthBytes(), new DataType.Meaning.SignedInt()), ends);
        return new Column(type, values.size(), null, List.of(), List.of(endColumn, of(type.values(), runs)));
    }

    private static String comparable(@Nullable Object value) {
        return Arrays.deepToString(new Object[] {value instanceof List<?> list ? list.toArray() : value});
    }
}
