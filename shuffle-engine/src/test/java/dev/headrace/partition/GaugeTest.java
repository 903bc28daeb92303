package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Bits per row: values, offsets, views or indices, and a bit of validity. */
final class GaugeTest {
    private static final String LONG = "more than twelve bytes";
    private static final List<@Nullable String> WORDS = Arrays.asList("", "abc", null, LONG);

    @Test
    void shouldCountValuesOfFixedWidth() {
        assertBits(TestColumns.nulls(2), 0, 0);
        assertBits(TestColumns.bools(List.of(true)), 2);
        assertBits(TestColumns.longs(1, 2), 65, 65);
    }

    @Test
    void shouldCountBytesThatAreNotNull() {
        assertBits(TestColumns.strings(WORDS), 33, 33 + 24, 33, 33 + 8 * 22);
        assertBits(TestColumns.strings(List.of("a", "bc")), 33 + 8, 33 + 16);
        List<byte @Nullable []> bytes = WORDS.stream().map(TestColumns::utf8).toList();
        assertBits(TestColumns.binary(new DataType.Binary(true, false), bytes), 65, 65 + 24, 65, 65 + 8 * 22);
        assertBits(TestColumns.views(bytes), 129, 129, 129, 129 + 8 * 22);
    }

    @Test
    void shouldCountIndexAndValueOfADictionary() {
        Column words = TestColumns.strings(List.of("", LONG));
        Column column = TestColumns.dictionary(TestColumns.unsigned(1), Arrays.asList(1, null, 0, 1), words);
        assertBits(column, 42 + 8 * 22, 42, 42, 42 + 8 * 22);
        assertBits(TestColumns.dictionary(TestColumns.integer(2), List.of(0), TestColumns.longs(7)), 82);
    }

    @Test
    void shouldCountEndAndValueOfARun() {
        Column column = TestColumns.runs(2, List.of(2, 3), TestColumns.strings(List.of("a", "bcd")));
        assertBits(column, 49 + 8, 49 + 8, 49 + 24);
        assertBits(TestColumns.runs(4, List.of(2), TestColumns.longs(1)), 97, 97);
    }

    @Test
    void shouldCountTheItemsOfAList() {
        Column items = TestColumns.strings(List.of("a", "bc", "def"));
        DataType list = new DataType.Varied(false, false, false, items.type());
        assertBits(nested(list, 3, null, items, ints(0, 2, 2, 3)), 33 + 2 * 33 + 24, 33, 33 + 33 + 24);
        MemorySegment middleOnly = MemorySegment.ofArray(new byte[] {2});
        assertBits(nested(list, 3, middleOnly, items, ints(0, 2, 3, 3)), 33, 33 + 33 + 24, 33);
        DataType view = new DataType.ListView(false, items.type());
        assertBits(nested(view, 2, null, items, ints(1, 0), ints(2, 2)), 65 + 66 + 40, 65 + 66 + 24);
        DataType fixed = new DataType.FixedList(3, items.type());
        assertBits(nested(fixed, 1, null, items), 1 + 99 + 48);
        assertBits(nested(new DataType.FixedList(2, TestColumns.INT64), 1, null, TestColumns.longs(1, 2)), 131);
    }

    @Test
    void shouldCountFieldsAndOneBranchOfADenseUnion() {
        Column numbers = TestColumns.longs(1, 2);
        Column words = TestColumns.strings(List.of("a", "bcd"));
        List<DataType> types = List.of(numbers.type(), words.type());
        List<Column> children = List.of(numbers, words);
        assertBits(new Column(new DataType.Struct(types), 2, null, List.of(), children), 99 + 8, 99 + 24);
        MemorySegment codes = MemorySegment.ofArray(new byte[] {9, 5});
        DataType sparse = new DataType.Union(false, List.of(5, 9), types);
        assertBits(new Column(sparse, 2, null, List.of(codes), children), 106 + 8, 106 + 24);
        DataType dense = new DataType.Union(true, List.of(5, 9), types);
        assertBits(new Column(dense, 2, null, List.of(codes, ints(1, 0)), children), 40 + 33 + 24, 40 + 65);
    }

    @Test
    void shouldNotOverflowForAbsurdTypes() {
        DataType type = TestColumns.INT64;
        for (int i = 0; i < 4; i++) {
            type = new DataType.FixedList(Integer.MAX_VALUE, type);
        }
        DataType two = new DataType.Struct(Collections.nCopies(2, type));
        assertThat(Gauge.of(two).fixedBits()).isEqualTo(1L << 56);
        assertThat(Gauge.product(1L << 40, 1L << 40)).isEqualTo(1L << 56);
        assertThat(Gauge.product(1L << 32, 1L << 31)).isEqualTo(1L << 56);
    }

    /** The same bits whether rows are added up one by one, from any row on, or as a range. */
    private static void assertBits(Column column, long... expected) {
        Gauge gauge = Gauge.of(column.type());
        for (int from = 0; from < expected.length; from++) {
            long[] bits = new long[expected.length - from];
            Arrays.fill(bits, gauge.fixedBits());
            if (gauge.varies()) {
                gauge.add(column, from, bits.length, bits);
            }
            assertThat(bits).isEqualTo(Arrays.copyOfRange(expected, from, expected.length));
            assertThat(gauge.total(column, from, bits.length))
                    .isEqualTo(Arrays.stream(bits).sum());
        }
    }

    private static Column nested(
            DataType type, int rows, @Nullable MemorySegment validity, Column child, MemorySegment... buffers) {
        return new Column(type, rows, validity, List.of(buffers), List.of(child));
    }

    private static MemorySegment ints(int... values) {
        return MemorySegment.ofArray(values);
    }
}
