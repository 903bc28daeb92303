package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Distinct values of one key column in ascending order, which other values are placed among; nulls and NaN are not
 * among them. Immutable; any thread.
 */
final class Landmarks {
    private final long[] words;
    private final int before;
    private final List<BigInteger> decimals;
    private final byte[][] bytes;

    private Landmarks(long[] words, int before, List<BigInteger> decimals, byte[][] bytes) {
        this.words = words;
        this.before = before;
        this.decimals = decimals;
        this.bytes = bytes;
    }

    /** The values of columns of one family; it may hold values that only their dictionaries have. */
    static Landmarks of(List<Column> columns) {
        Collector collector = new Collector();
        columns.forEach(collector::add);
        return collector.landmarks();
    }

    int count() {
        return decimals.isEmpty() ? words.length + bytes.length : decimals.size();
    }

    /** Values that fit words; of decimals those that do, and {@link #before} says how many are below them. */
    long[] words() {
        return words;
    }

    int before() {
        return before;
    }

    List<BigInteger> decimals() {
        return decimals;
    }

    byte[][] bytes() {
        return bytes;
    }

    /** The unscaled value of a decimal: two's complement, little-endian. */
    static BigInteger decimal(MemorySegment values, long row, int widthBytes) {
        byte[] raw = values.asSlice(row * widthBytes, widthBytes).toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < widthBytes / 2; i++) {
            byte swapped = raw[i];
            raw[i] = raw[widthBytes - 1 - i];
            raw[widthBytes - 1 - i] = swapped;
        }
        return new BigInteger(raw);
    }

    private static final class Collector {
        private final List<long[]> words = new ArrayList<>();
        private final TreeSet<BigInteger> decimals = new TreeSet<>();
        private final TreeSet<byte[]> bytes = new TreeSet<>(Arrays::compareUnsigned);
        private final SortBytes row = new SortBytes();

        void add(Column column) {
            switch (column.type()) {
                case DataType.Null ignored -> {}
                case DataType.Dictionary ignored -> add(column.children().getFirst());
                case DataType.RunEnd ignored -> add(column.children().get(1));
                case DataType.Fixed(int width, Meaning.Decimal ignored) -> addDecimals(column, width);
                default -> {
                    if (SortWords.fit(column.type())) {
                        addWords(column);
                    } else {
                        addBytes(column);
                    }
                }
            }
        }

        private void addWords(Column column) {
            int rows = Math.toIntExact(column.rows());
            long[] all = new long[rows];
            SortWords.read(column, 0, rows, all);
            boolean floating =
                    column.type() instanceof DataType.Fixed fixed && fixed.meaning() instanceof Meaning.Floating;
            int kept = 0;
            for (int i = 0; i < rows; i++) {
                if (column.isValid(i) && !(floating && all[i] == SortWords.NAN)) {
                    all[kept++] = all[i];
                }
            }
            words.add(Arrays.copyOf(all, kept));
        }

        private void addDecimals(Column column, int widthBytes) {
            for (long i = 0; i < column.rows(); i++) {
                if (column.isValid(i)) {
                    decimals.add(decimal(column.buffers().getFirst(), i, widthBytes));
                }
            }
        }

        private void addBytes(Column column) {
            for (long i = 0; i < column.rows(); i++) {
                if (column.isValid(i)) {
                    row.find(column, i);
                    bytes.add(row.data().asSlice(row.offset(), row.length()).toArray(ValueLayout.JAVA_BYTE));
                }
            }
        }

        Landmarks landmarks() {
            if (decimals.isEmpty()) {
                long[] distinct = words.stream()
                        .flatMapToLong(Arrays::stream)
                        .sorted()
                        .distinct()
                        .toArray();
                return new Landmarks(distinct, 0, List.of(), bytes.toArray(byte[][]::new));
            }
            long[] narrow = decimals.stream()
                    .filter(value -> value.bitLength() < Long.SIZE)
                    .mapToLong(BigInteger::longValue)
                    .toArray();
            @Nullable BigInteger first = decimals.ceiling(BigInteger.valueOf(Long.MIN_VALUE));
            int below =
                    first == null ? decimals.size() : decimals.headSet(first).size();
            return new Landmarks(narrow, below, List.copyOf(decimals), new byte[0][]);
        }
    }
}
