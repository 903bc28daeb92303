package dev.headrace.partition;

import static dev.headrace.partition.TestColumns.hashes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the layouts have to do with the hash: nothing. */
final class KeyHashTest {
    @Test
    void shouldNotDependOnWhereTheHashingStarts() {
        List<Integer> numbers = IntStream.range(0, 5_000)
                .mapToObj(i -> i % 3 == 0 || i % 64 < 20 ? null : i * 7)
                .toList();
        Column ints = TestColumns.integers(TestColumns.integer(4), numbers);
        Column strings = TestColumns.strings(
                numbers.stream().map(n -> n == null ? null : "k" + n).toList());
        List<Column> keys = List.of(ints, strings);
        KeyHash hash = new KeyHash(List.of(ints.type(), strings.type()), 0);
        long[] all = hashes(0, ints, strings);
        for (int from : new int[] {0, 1, 7, 8, 63, 2_047, 2_048, 4_999}) {
            int rows = Math.min(3_000, 5_000 - from);
            long[] part = new long[rows];
            hash.hash(keys, from, rows, part);
            assertThat(part).as("from row %d", from).isEqualTo(Arrays.copyOfRange(all, from, from + rows));
        }
    }

    @Test
    void shouldHashWhatADictionaryNames() {
        List<String> words = Arrays.asList("zero", "one", null, "zero", "a word of more than twelve bytes");
        List<Integer> indices = Arrays.asList(0, 4, 2, null, 3, 1, 0);
        List<String> plain =
                Arrays.asList("zero", "a word of more than twelve bytes", null, null, "zero", "one", "zero");
        long[] expected = hashes(0, TestColumns.strings(plain));
        for (DataType.Fixed index : List.of(TestColumns.integer(1), TestColumns.integer(8), TestColumns.unsigned(2))) {
            Column column = TestColumns.dictionary(index, indices, TestColumns.strings(words));
            assertThat(hashes(0, column)).isEqualTo(expected);
        }
    }

    @Test
    void shouldReadUnsignedIndicesAboveTheSignedRange() {
        Column values = TestColumns.longs(LongStream.range(0, 256).toArray());
        Column column = TestColumns.dictionary(TestColumns.unsigned(1), List.of(255, 128, 0), values);
        assertThat(hashes(0, column)).isEqualTo(hashes(0, TestColumns.longs(255, 128, 0)));
    }

    @Test
    void shouldHashALargeDictionaryForFewRows() {
        Column values = TestColumns.longs(LongStream.range(0, 10_000).toArray());
        Column column = TestColumns.dictionary(TestColumns.integer(4), Arrays.asList(9_999, null, 5), values);
        assertThat(hashes(0, column))
                .isEqualTo(hashes(0, TestColumns.integers(TestColumns.INT64, Arrays.asList(9_999, null, 5))));
    }

    @Test
    void shouldTakeAnEmptyDictionaryUnderNulls() {
        Column column = TestColumns.dictionary(
                TestColumns.integer(4), Arrays.asList(null, null), TestColumns.strings(List.of()));
        assertThat(hashes(0, column)).isEqualTo(hashes(0, TestColumns.nulls(2)));
    }

    @Test
    void shouldForgetOneDictionaryForTheNext() {
        KeyHash hash =
                new KeyHash(List.of(new DataType.Dictionary(TestColumns.integer(4), false, TestColumns.INT64)), 0);
        for (long value = 0; value < 3; value++) {
            Column column = TestColumns.dictionary(TestColumns.integer(4), List.of(0, 0), TestColumns.longs(value));
            long[] out = new long[2];
            hash.hash(List.of(column), 0, 2, out);
            assertThat(out).isEqualTo(hashes(0, TestColumns.longs(value, value)));
        }
    }

    @Test
    void shouldHashTheValueOfARun() {
        Column values = TestColumns.strings(Arrays.asList("a", null, "b", "a"));
        long[] expected = hashes(0, TestColumns.strings(Arrays.asList("a", "a", null, "b", "b", "b", "a")));
        for (int width : new int[] {2, 4, 8}) {
            Column column = TestColumns.runs(width, List.of(2, 3, 6, 7), values);
            assertThat(hashes(0, column)).isEqualTo(expected);
            KeyHash hash = new KeyHash(List.of(column.type()), 0);
            for (int from = 0; from < 7; from++) {
                long[] one = new long[1];
                hash.hash(List.of(column), from, 1, one);
                assertThat(one[0]).isEqualTo(expected[from]);
            }
        }
    }

    @Test
    void shouldHashLongRunsAcrossItsOwnSteps() {
        Column column = TestColumns.runs(4, List.of(3_000, 3_001, 9_000), TestColumns.longs(1, 2, 3));
        long[] expected = hashes(0, TestColumns.longs(1, 2, 3));
        long[] hashes = hashes(0, column);
        assertThat(hashes[2_999]).isEqualTo(expected[0]);
        assertThat(hashes[3_000]).isEqualTo(expected[1]);
        assertThat(Arrays.copyOfRange(hashes, 3_001, 9_000)).containsOnly(expected[2]);
    }

    @Test
    void shouldTellNullFromZeroAndFromEmpty() {
        assertThat(hashes(0, TestColumns.integers(TestColumns.INT64, Arrays.asList(null, 0L))))
                .doesNotHaveDuplicates();
        assertThat(hashes(0, TestColumns.strings(Arrays.asList(null, "", "null", "é", "e\u0301"))))
                .doesNotHaveDuplicates();
        assertThat(hashes(0, TestColumns.bools(Arrays.asList(true, false, null))))
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldTellLargeUnsignedNumbersFromNegativeOnes() {
        BigInteger large = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
        Column unsigned = TestColumns.integers(TestColumns.unsigned(8), List.of(large));
        assertThat(hashes(0, unsigned)).isNotEqualTo(hashes(0, TestColumns.longs(-1)));
    }

    @Test
    void shouldDependOnTheOrderOfTheColumns() {
        Column a = TestColumns.strings(Arrays.asList("a", "ab", null, "x"));
        Column b = TestColumns.strings(Arrays.asList("bc", "c", "x", null));
        assertThat(hashes(0, a, b)).doesNotHaveDuplicates().isNotEqualTo(hashes(0, b, a));
    }

    @Test
    void shouldGiveAnotherHashForAnotherSalt() {
        long[] plain = hashes(0, TestColumns.longs(LongStream.range(0, 1_000).toArray()));
        long[] salted = hashes(1, TestColumns.longs(LongStream.range(0, 1_000).toArray()));
        int sameEighth = 0;
        for (int i = 0; i < plain.length; i++) {
            sameEighth += plain[i] >>> 61 == salted[i] >>> 61 ? 1 : 0;
        }
        assertThat(sameEighth).isBetween(80, 170);
    }

    @Test
    void shouldRefuseTypesThatCantBeKeys() {
        DataType struct = new DataType.Struct(List.of(TestColumns.INT64));
        assertThatThrownBy(() -> new KeyHash(List.of(struct), 0))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("struct");
        DataType interval = new DataType.Fixed(16, new Meaning.Interval());
        assertThatThrownBy(() -> new KeyHash(Collections.singletonList(interval), 0))
                .hasMessageContaining("interval");
    }
}
