package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Columns as awkward as Arrow allows: garbage under nulls, offsets that do not start at 0, views into several buffers,
 * overlapping list views, dictionaries with repeats and nulls, dense unions that share and waste values.
 */
final class RandomColumns {
    private final Random random;
    private final Arena arena;

    private boolean nulls = true;

    RandomColumns(Random random, Arena arena) {
        this.random = random;
        this.arena = arena;
    }

    Column withoutNulls(DataType type, int rows) {
        nulls = false;
        return column(type, rows);
    }

    List<Column> columns(List<DataType> types, int rows) {
        List<Column> columns = new ArrayList<>();
        types.forEach(type -> columns.add(column(type, rows)));
        return columns;
    }

    Column column(DataType type, int rows) {
        MemorySegment validity = nulls && Nodes.hasValidity(type) ? validity(rows) : null;
        return switch (type) {
            case DataType.Null _ -> new Column(type, rows, null, List.of(), List.of());
            case DataType.Bool _ -> new Column(type, rows, validity, List.of(bytes((rows + 7) / 8)), List.of());
            case DataType.Fixed fixed -> new Column(type, rows, validity, List.of(values(rows, fixed)), List.of());
            case DataType.Binary binary -> {
                int first = random.nextInt(5);
                MemorySegment offsets = offsets(rows, binary.large(), first, 20);
                yield new Column(type, rows, validity, List.of(offsets, bytes(first + rows * 20)), List.of());
            }
            case DataType.View _ -> views(type, rows, validity);
            case DataType.Varied list -> {
                int first = random.nextInt(5);
                MemorySegment offsets = offsets(rows, list.large(), first, 4);
                Column items = column(list.item(), first + rows * 4);
                yield new Column(type, rows, validity, List.of(offsets), List.of(items));
            }
            case DataType.ListView list -> listViews(list, rows, validity);
            case DataType.FixedList list ->
                new Column(type, rows, validity, List.of(), List.of(column(list.item(), rows * list.size())));
            case DataType.Struct struct -> new Column(type, rows, validity, List.of(), columns(struct.fields(), rows));
            case DataType.Union union -> union(union, rows);
            case DataType.Dictionary dictionary -> dictionary(dictionary, rows, validity);
            case DataType.RunEnd runs -> runs(runs, rows);
        };
    }

    private @Nullable MemorySegment validity(int rows) {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> {
                MemorySegment none = arena.allocate((rows + 7) / 8);
                yield none.fill((byte) (random.nextBoolean() ? 0xFF : 0));
            }
            default -> bytes((rows + 7) / 8);
        };
    }

    /** Few different values, so that dictionaries and runs meet equal ones. */
    private MemorySegment values(int rows, DataType.Fixed type) {
        MemorySegment values = bytes(rows * type.widthBytes());
        if (type.meaning() instanceof Meaning.SignedInt) {
            for (int row = 0; row < rows; row++) {
                Integers.set(values, (long) row * type.widthBytes(), type.widthBytes(), random.nextInt(9) - 4);
            }
        }
        return values;
    }

    private MemorySegment bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        // An odd address, since nothing may need alignment.
        MemorySegment segment = arena.allocate(length + 1L).asSlice(1);
        MemorySegment.copy(bytes, 0, segment, BYTE, 0, length);
        return segment;
    }

    private MemorySegment offsets(int rows, boolean large, int first, int longest) {
        if (rows == 0 && random.nextBoolean()) {
            return MemorySegment.NULL;
        }
        Offsets numbers = Offsets.of(large);
        MemorySegment offsets = arena.allocate((rows + 1L) * (large ? 8 : 4));
        long offset = first;
        for (int row = 0; row <= rows; row++) {
            numbers.set(offsets, 0, row, offset);
            offset += random.nextInt(longest + 1);
        }
        return offsets;
    }

    private Column views(DataType type, int rows, @Nullable MemorySegment validity) {
        MemorySegment views = bytes(rows * 16);
        List<MemorySegment> buffers = new ArrayList<>(List.of(views));
        int buffersOfData = 1 + random.nextInt(3);
        for (int i = 0; i < buffersOfData; i++) {
            buffers.add(bytes(100));
        }
        for (int row = 0; row < rows; row++) {
            if (validity == null || Column.bit(validity, row)) {
                int length = random.nextInt(26);
                views.set(INT, row * 16L, length);
                if (length > 12) {
                    int buffer = random.nextInt(buffersOfData);
                    int offset = random.nextInt(100 - length);
                    views.set(INT, row * 16L + 4, buffers.get(1 + buffer).get(INT, offset));
                    views.set(INT, row * 16L + 8, buffer);
                    views.set(INT, row * 16L + 12, offset);
                } else {
                    views.asSlice(row * 16L + 4 + length, 12 - length).fill((byte) 0);
                }
            }
        }
        return new Column(type, rows, validity, buffers, List.of());
    }

    private Column listViews(DataType.ListView type, int rows, @Nullable MemorySegment validity) {
        int items = 10;
        Offsets numbers = Offsets.of(type.large());
        MemorySegment offsets = arena.allocate(rows * 8L);
        MemorySegment sizes = arena.allocate(rows * 8L);
        for (int row = 0; row < rows; row++) {
            int offset = random.nextInt(items);
            numbers.set(offsets, 0, row, offset);
            numbers.set(sizes, 0, row, random.nextInt(Math.min(5, items - offset + 1)));
        }
        return new Column(type, rows, validity, List.of(offsets, sizes), List.of(column(type.item(), items)));
    }

    private Column union(DataType.Union type, int rows) {
        MemorySegment codes = arena.allocate(rows);
        MemorySegment offsets = arena.allocate(rows * 4L);
        int values = type.dense() ? 7 : rows;
        for (int row = 0; row < rows; row++) {
            codes.set(
                    BYTE,
                    row,
                    type.codes().get(random.nextInt(type.codes().size())).byteValue());
            offsets.set(INT, row * 4L, random.nextInt(7));
        }
        List<MemorySegment> buffers = type.dense() ? List.of(codes, offsets) : List.of(codes);
        return new Column(type, rows, null, buffers, columns(type.children(), values));
    }

    private Column dictionary(DataType.Dictionary type, int rows, @Nullable MemorySegment validity) {
        int values = 1 + random.nextInt(9);
        int width = type.index().widthBytes();
        MemorySegment indices = arena.allocate((long) rows * width);
        for (int row = 0; row < rows; row++) {
            boolean valid = validity == null || Column.bit(validity, row);
            Integers.set(indices, (long) row * width, width, valid ? random.nextInt(values) : random.nextInt());
        }
        return new Column(type, rows, validity, List.of(indices), List.of(column(type.values(), values)));
    }

    private Column runs(DataType.RunEnd type, int rows) {
        List<Integer> ends = new ArrayList<>();
        for (int end = 0; end < rows; ) {
            end = Math.min(rows, end + 1 + random.nextInt(6));
            ends.add(end);
        }
        MemorySegment buffer = arena.allocate(Math.max(1, ends.size() * (long) type.endWidthBytes()));
        for (int i = 0; i < ends.size(); i++) {
            Integers.set(buffer, (long) i * type.endWidthBytes(), type.endWidthBytes(), ends.get(i));
        }
        Column bounds = new Column(Nodes.runEnds(type), ends.size(), null, List.of(buffer), List.of());
        return new Column(type, rows, null, List.of(), List.of(bounds, column(type.values(), ends.size())));
    }

    /** An int64 column of the values. */
    Column longs(long... values) {
        MemorySegment buffer = arena.allocate(values.length * 8L);
        MemorySegment.copy(values, 0, buffer, LONG, 0, values.length);
        return new Column(
                new DataType.Fixed(8, new Meaning.SignedInt()), values.length, null, List.of(buffer), List.of());
    }
}
