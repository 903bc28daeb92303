package dev.headrace.pack;

import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Types of every kind, nested as deep as asked, from a seed. */
final class RandomTypes {
    private final Random random;

    RandomTypes(Random random) {
        this.random = random;
    }

    List<DataType> columns(int most, int depth) {
        return list(1 + random.nextInt(most), depth);
    }

    DataType type(int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return leaf();
        }
        return switch (random.nextInt(8)) {
            case 0 -> new DataType.Varied(random.nextBoolean(), false, false, type(depth - 1));
            case 1 -> new DataType.ListView(random.nextBoolean(), type(depth - 1));
            case 2 -> new DataType.FixedList(random.nextInt(4), type(depth - 1));
            case 3 -> new DataType.Struct(list(random.nextInt(4), depth - 1));
            case 4 -> {
                List<DataType> children = list(1 + random.nextInt(3), depth - 1);
                yield new DataType.Union(random.nextBoolean(), codes(children.size()), children);
            }
            case 5 -> new DataType.Dictionary(integer(), random.nextBoolean(), type(depth - 1));
            case 6 -> new DataType.RunEnd(2 << random.nextInt(3), type(depth - 1));
            default ->
                new DataType.Varied(
                        random.nextBoolean(),
                        true,
                        random.nextBoolean(),
                        new DataType.Struct(List.of(leaf(), type(depth - 1))));
        };
    }

    DataType leaf() {
        return switch (random.nextInt(8)) {
            case 0 -> new DataType.Null();
            case 1 -> new DataType.Bool();
            case 2, 3 -> new DataType.Binary(random.nextBoolean(), random.nextBoolean());
            case 4 -> new DataType.View(random.nextBoolean());
            case 5 -> integer();
            default -> fixed();
        };
    }

    DataType.Fixed integer() {
        return new DataType.Fixed(
                1 << random.nextInt(4), random.nextBoolean() ? new Meaning.SignedInt() : new Meaning.UnsignedInt());
    }

    private DataType fixed() {
        List<Supplier<DataType>> kinds = List.of(
                () -> new DataType.Fixed(2 << random.nextInt(3), new Meaning.Floating()),
                () -> new DataType.Fixed(4 << random.nextInt(4), new Meaning.Decimal(7, -2)),
                () -> new DataType.Fixed(4, new Meaning.Date()),
                () -> new DataType.Fixed(8, new Meaning.Time(TimeUnit.MICROSECOND)),
                () -> new DataType.Fixed(8, new Meaning.Timestamp(TimeUnit.NANOSECOND, "Europe/Vaduz")),
                () -> new DataType.Fixed(8, new Meaning.Duration(TimeUnit.SECOND)),
                () -> new DataType.Fixed(16, new Meaning.Interval()),
                () -> new DataType.Fixed(random.nextInt(40), new Meaning.Bytes()));
        return kinds.get(random.nextInt(kinds.size())).get();
    }

    private List<DataType> list(int count, int depth) {
        List<DataType> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            types.add(type(depth));
        }
        return List.copyOf(types);
    }

    private List<Integer> codes(int count) {
        List<Integer> codes = new ArrayList<>();
        while (codes.size() < count) {
            int code = random.nextInt(128);
            if (!codes.contains(code)) {
                codes.add(code);
            }
        }
        return List.copyOf(codes);
    }
}
