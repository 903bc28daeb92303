package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes types, and columns from lists of values; under a null lies whatever the hash must not see. */
final class TestColumns {
    static final DataType INT64 = integer(8);
    static final DataType STRING = new DataType.Binary(false, true);
    private static final byte JUNK = 0x5A;

    private TestColumns() {}

    static DataType.Fixed integer(int widthBytes) {
        return new DataType.Fixed(widthBytes, new Meaning.SignedInt());
    }

    static DataType.Fixed unsigned(int widthBytes) {
        return new DataType.Fixed(widthBytes, new Meaning.UnsignedInt());
    }

    static DataType.Fixed floating(int widthBytes) {
        return new DataType.Fixed(widthBytes, new Meaning.Floating());
    }

    static DataType.Fixed decimal(int widthBytes, int scale) {
        return new DataType.Fixed(widthBytes, new Meaning.Decimal(9, scale));
    }

    static DataType.Fixed timestamp(TimeUnit unit, String zone) {
        return new DataType.Fixed(8, new Meaning.Timestamp(unit, zone));
    }

    static DataType.Fixed date(int widthBytes) {
        return new DataType.Fixed(widthBytes, new Meaning.Date());
    }

    /** Integers of any width, which may be null. */
    static Column integers(DataType type, List<? extends @Nullable Number> values) {
        int width = ((DataType.Fixed) type).widthBytes();
        return fixed(
                type,
                values.stream()
                        .map(v -> v == null ? null : littleEndian(v, width))
                        .toList());
    }

    static Column longs(long... values) {
        return integers(INT64, Arrays.stream(values).boxed().toList());
    }

    /** A fixed-width column of the given bytes. */
    static Column fixed(DataType type, List<byte @Nullable []> values) {
        int width = ((DataType.Fixed) type).widthBytes();
        byte[] bytes = new byte[width * values.size()];
        Arrays.fill(bytes, JUNK);
        for (int i = 0; i < values.size(); i++) {
            byte[] value = values.get(i);
            if (value != null) {
                System.arraycopy(value, 0, bytes, i * width, width);
            }
        }
        return new Column(type, values.size(), validity(values), List.of(MemorySegment.ofArray(bytes)), List.of());
    }

    static Column bools(List<@Nullable Boolean> values) {
        byte[] bits = new byte[(values.size() + 7) / 8];
        for (int i = 0; i < values.size(); i++) {
            Boolean value = values.get(i);
            bits[i / 8] |= (byte) (value == null || value ? 1 << i % 8 : 0);
        }
        MemorySegment buffer = MemorySegment.ofArray(bits);
        return new Column(new DataType.Bool(), values.size(), validity(values), List.of(buffer), List.of());
    }

    static Column strings(List<@Nullable String> values) {
        return binary(STRING, values.stream().map(TestColumns::utf8).toList());
    }

    static byte @Nullable [] utf8(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes behind 32 or 64-bit offsets. */
    static Column binary(DataType type, List<byte @Nullable []> values) {
        int width = ((DataType.Binary) type).large() ? 8 : 4;
        ByteBuffer offsets = buffer((values.size() + 1) * width);
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        put(offsets, 0, width);
        for (byte[] value : values) {
            data.writeBytes(value == null ? new byte[] {JUNK, JUNK, JUNK} : value);
            put(offsets, data.size(), width);
        }
        List<MemorySegment> buffers =
                List.of(MemorySegment.ofBuffer(offsets.clear()), MemorySegment.ofArray(data.toByteArray()));
        return new Column(type, values.size(), validity(values), buffers, List.of());
    }

    /** Views into two data buffers, by turns. */
    static Column views(List<byte @Nullable []> values) {
        ByteBuffer views = buffer(16 * values.size());
        List<ByteArrayOutputStream> data = List.of(new ByteArrayOutputStream(), new ByteArrayOutputStream());
        for (int i = 0; i < values.size(); i++) {
            byte[] value = values.get(i);
            int at = 16 * i;
            if (value == null) {
                views.putInt(at, Integer.MAX_VALUE).putInt(at + 8, 99);
            } else if (value.length <= 12) {
                views.putInt(at, value.length).put(at + 4, value);
            } else {
                ByteArrayOutputStream target = data.get(i % 2);
                views.putInt(at, value.length).put(at + 4, value, 0, 4).putInt(at + 8, i % 2);
                views.putInt(at + 12, target.size());
                target.writeBytes(value);
            }
        }
        List<MemorySegment> buffers = List.of(
                MemorySegment.ofBuffer(views.clear()),
                MemorySegment.ofArray(data.get(0).toByteArray()),
                MemorySegment.ofArray(data.get(1).toByteArray()));
        return new Column(new DataType.View(false), values.size(), validity(values), buffers, List.of());
    }

    static Column dictionary(DataType.Fixed index, List<? extends @Nullable Number> indices, Column values) {
        Column plain = integers(index, indices);
        DataType type = new DataType.Dictionary(index, false, values.type());
        return new Column(type, plain.rows(), plain.validity(), plain.buffers(), List.of(values));
    }

    static Column runs(int endWidthBytes, List<Integer> ends, Column values) {
        DataType type = new DataType.RunEnd(endWidthBytes, values.type());
        Column endColumn = integers(integer(endWidthBytes), ends);
        return new Column(type, ends.isEmpty() ? 0 : ends.getLast(), null, List.of(), List.of(endColumn, values));
    }

    static Column nulls(int rows) {
        return new Column(new DataType.Null(), rows, null, List.of(), List.of());
    }

    /** The hashes of all rows. */
    static long[] hashes(long salt, Column... keys) {
        List<Column> columns = List.of(keys);
        int rows = Math.toIntExact(columns.getFirst().rows());
        long[] out = new long[rows];
        new KeyHash(columns.stream().map(Column::type).toList(), salt).hash(columns, 0, rows, out);
        return out;
    }

    static byte[] littleEndian(Number number, int width) {
        BigInteger value = new BigInteger(number.toString());
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = value.shiftRight(8 * i).byteValue();
        }
        return bytes;
    }

    static @Nullable MemorySegment validity(List<?> values) {
        if (values.stream().allMatch(Objects::nonNull)) {
            return null;
        }
        byte[] bits = new byte[(values.size() + 7) / 8];
        for (int i = 0; i < values.size(); i++) {
            bits[i / 8] |= (byte) (values.get(i) == null ? 0 : 1 << i % 8);
        }
        return MemorySegment.ofArray(bits);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void put(ByteBuffer target, int value, int width) {
        if (width == 4) {
            target.putInt(value);
        } else {
            target.putLong(value);
        }
    }
}
