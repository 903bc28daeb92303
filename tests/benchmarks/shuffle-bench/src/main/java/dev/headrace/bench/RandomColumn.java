package dev.headrace.bench;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A column and the rule for its random values; stateless, any thread. */
record RandomColumn(Field field, Values values) {
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz ,.-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final byte[] LETTERS = ALPHABET.getBytes(StandardCharsets.UTF_8);
    private static final DataType.Binary TEXT = new DataType.Binary(false, true);

    /** One in so many lists and structs is null. */
    private static final int NULL_ONE_IN = 8;

    /** Makes so many rows in memory that is given. */
    interface Values {
        Column make(SplittableRandom random, int rows, SegmentAllocator memory);
    }

    Column make(SplittableRandom random, int rows, SegmentAllocator memory) {
        return values.make(random, rows, memory);
    }

    static RandomColumn ints(String name) {
        return bounded(name, new DataType.Fixed(4, new Meaning.SignedInt()), Integer.MAX_VALUE);
    }

    static RandomColumn longs(String name) {
        return bounded(name, new DataType.Fixed(8, new Meaning.SignedInt()), Long.MAX_VALUE);
    }

    /** Numbers of 4 or 8 bytes, from 0 up to, not including, the bound. */
    static RandomColumn bounded(String name, DataType type, long bound) {
        int width = ((DataType.Fixed) type).widthBytes();
        return new RandomColumn(Field.of(name, false, type), (random, rows, memory) -> {
            MemorySegment values = memory.allocate((long) width * rows, 64);
            for (int i = 0; i < rows; i++) {
                long value = bound == Long.MAX_VALUE ? random.nextLong() : random.nextLong(bound);
                if (width == 8) {
                    values.setAtIndex(ValueLayout.JAVA_LONG, i, value);
                } else {
                    values.setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
                }
            }
            return new Column(type, rows, null, List.of(values), List.of());
        });
    }

    /** Decimals of 16 bytes with two places, unscaled from 0 up to, not including, the bound. */
    static RandomColumn decimal(String name, long bound) {
        DataType type = new DataType.Fixed(16, new Meaning.Decimal(15, 2));
        return new RandomColumn(Field.of(name, false, type), (random, rows, memory) -> {
            MemorySegment values = memory.allocate(16L * rows, 64);
            for (int i = 0; i < rows; i++) {
                values.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, random.nextLong(bound));
                values.setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, 0);
            }
            return new Column(type, rows, null, List.of(values), List.of());
        });
    }

    /** One of a few words. */
    static RandomColumn words(String name, String... choices) {
        byte[][] words = Arrays.stream(choices)
                .map(word -> word.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        return text(name, random -> words[random.nextInt(words.length)]);
    }

    /** Letters, from the least to the most bytes. */
    static RandomColumn text(String name, int leastBytes, int mostBytes) {
        return text(name, random -> {
            byte[] text = new byte[random.nextInt(leastBytes, mostBytes + 1)];
            for (int i = 0; i < text.length; i++) {
                text[i] = LETTERS[random.nextInt(LETTERS.length)];
            }
            return text;
        });
    }

    private interface Word {
        byte[] next(SplittableRandom random);
    }

    private static RandomColumn text(String name, Word word) {
        return new RandomColumn(Field.of(name, false, TEXT), (random, rows, memory) -> {
            byte[][] texts = new byte[rows][];
            MemorySegment offsets = memory.allocate(4L * (rows + 1), 64);
            int end = 0;
            for (int i = 0; i < rows; i++) {
                texts[i] = word.next(random);
                end += texts[i].length;
                offsets.setAtIndex(ValueLayout.JAVA_INT, i + 1, end);
            }
            MemorySegment data = memory.allocate(Math.max(1, end), 64).asSlice(0, end);
            int at = 0;
            for (byte[] text : texts) {
                MemorySegment.copy(text, 0, data, ValueLayout.JAVA_BYTE, at, text.length);
                at += text.length;
            }
            return new Column(TEXT, rows, null, List.of(offsets, data), List.of());
        });
    }

    /** Lists of 0 to {@code most} items, some null. */
    static RandomColumn list(String name, int most, RandomColumn item) {
        DataType type = new DataType.Varied(false, false, false, item.field().type());
        return new RandomColumn(Field.of(name, true, type, item.field()), (random, rows, memory) -> {
            MemorySegment validity = validity(random, rows, memory);
            MemorySegment offsets = memory.allocate(4L * (rows + 1), 64);
            int end = 0;
            for (int i = 0; i < rows; i++) {
                end += Column.bit(validity, i) ? random.nextInt(most + 1) : 0;
                offsets.setAtIndex(ValueLayout.JAVA_INT, i + 1, end);
            }
            return new Column(type, rows, validity, List.of(offsets), List.of(item.make(random, end, memory)));
        });
    }

    /** Structs, some null. */
    static RandomColumn struct(String name, RandomColumn... members) {
        List<DataType> types = new ArrayList<>();
        List<Field> fields = new ArrayList<>();
        for (RandomColumn member : members) {
            types.add(member.field().type());
            fields.add(member.field());
        }
        DataType type = new DataType.Struct(types);
        Field field = Field.of(name, true, type, fields.toArray(Field[]::new));
        return new RandomColumn(field, (random, rows, memory) -> {
            List<Column> children = new ArrayList<>();
            for (RandomColumn member : members) {
                children.add(member.make(random, rows, memory));
            }
            return new Column(type, rows, validity(random, rows, memory), List.of(), children);
        });
    }

    private static MemorySegment validity(SplittableRandom random, int rows, SegmentAllocator memory) {
        MemorySegment bitmap = memory.allocate(Math.max(8, (rows + 7) / 8), 64);
        for (int row = 0; row < rows; row++) {
            if (random.nextInt(NULL_ONE_IN) != 0) {
                int bits = bitmap.get(ValueLayout.JAVA_BYTE, row >>> 3) | 1 << (row & 7);
                bitmap.set(ValueLayout.JAVA_BYTE, row >>> 3, (byte) bits);
            }
        }
        return bitmap;
    }
}
