package dev.headrace.testing;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Random values of any type, for {@link TestColumns}; a fifth of them null, many of them equal. */
public final class TestValues {
    private TestValues() {}

    public static Column column(DataType type, int rows, RandomGenerator random) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            // Every second value is the one before, so that there are runs.
            boolean again = i > 0 && random.nextBoolean();
            values.add(again ? values.get(i - 1) : value(type, random));
        }
        return TestColumns.of(type, values);
    }

    private static @Nullable Object value(DataType type, RandomGenerator random) {
        if (type instanceof DataType.Union union) {
            int child = random.nextInt(union.codes().size());
            return new TestColumns.InUnion(
                    union.codes().get(child), value(union.children().get(child), random));
        }
        if (random.nextInt(5) == 0) {
            return null;
        }
        return switch (type) {
            case DataType.Null ignored -> null;
            case DataType.Bool ignored -> random.nextBoolean();
            case DataType.Fixed fixed -> bytes(fixed.widthBytes(), random);
            case DataType.Binary binary -> text(binary.utf8(), random);
            case DataType.View view -> text(view.utf8(), random);
            case DataType.Varied list ->
                list.map()
                        ? entries((DataType.Struct) list.item(), random)
                        : items(list.item(), random.nextInt(4), random);
            case DataType.ListView list -> items(list.item(), random.nextInt(4), random);
            case DataType.FixedList list -> items(list.item(), list.size(), random);
            case DataType.Struct struct -> {
                List<@Nullable Object> fields = new ArrayList<>();
                struct.fields().forEach(field -> fields.add(value(field, random)));
                yield fields;
            }
            case DataType.Dictionary dictionary -> value(dictionary.values(), random);
            case DataType.RunEnd runs -> value(runs.values(), random);
            case DataType.Union ignored -> throw new AssertionError("handled above");
        };
    }

    private static byte[] bytes(int width, RandomGenerator random) {
        byte[] bytes = new byte[width];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Object text(boolean utf8, RandomGenerator random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(14);
        return utf8 ? "ü".repeat(length / 2) + "x".repeat(length % 2) : bytes(length, random);
    }

    private static List<@Nullable Object> items(DataType item, int size, RandomGenerator random) {
        List<@Nullable Object> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(value(item, random));
        }
        return items;
    }

    /** Entries of a map: never null, with keys that aren't either. */
    private static List<@Nullable Object> entries(DataType.Struct entry, RandomGenerator random) {
        List<@Nullable Object> entries = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            Object key = value(entry.fields().get(0), random);
            List<@Nullable Object> pair = new ArrayList<>();
            pair.add(key == null ? "key" : key);
            pair.add(value(entry.fields().get(1), random));
            entries.add(pair);
        }
        return entries;
    }
}
