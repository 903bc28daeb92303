package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.table.Column;
import dev.headrace.table.DataType.TimeUnit;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class PartitionerTest {
    private static final int KEYS = 32_000;
    private static final int SIGMAS = 6;

    @Test
    void shouldSpreadIntegersWithAPattern() {
        for (int partitions : new int[] {7, 16, 32, 1_000}) {
            assertBalanced("sequence", partitions, TestColumns.longs(numbers(i -> i)));
            assertBalanced("multiples of 4096", partitions, TestColumns.longs(numbers(i -> 4_096L * i)));
            assertBalanced("high bits", partitions, TestColumns.longs(numbers(i -> (long) i << 48)));
            assertBalanced("bit-reversed", partitions, TestColumns.longs(numbers(i -> Long.reverse(i))));
            assertBalanced("seconds", partitions, timestamps());
            assertBalanced("whole floats", partitions, wholeFloats());
        }
    }

    @Test
    void shouldSpreadStringsWithOneJavaHash() {
        List<String> words =
                IntStream.range(0, KEYS).mapToObj(PartitionerTest::pairs).toList();
        assertThat(words.stream().mapToInt(String::hashCode).distinct().count()).isEqualTo(1);
        assertBalanced("strings", 16, TestColumns.strings(words));
    }

    @Test
    void shouldSpreadThePairsOfAGrid() {
        Column a = TestColumns.longs(numbers(i -> i / 200));
        Column b = TestColumns.longs(numbers(i -> i % 200));
        assertBalanced("grid", 31, a, b);
    }

    @Test
    void shouldSpreadASaltedShareEvenly() {
        long[] share = LongStream.range(0, 500_000).toArray();
        long[] salted = TestColumns.hashes(7, TestColumns.longs(share));
        long[] first = IntStream.range(0, share.length)
                .filter(i -> salted[i] >>> 60 == 0)
                .mapToLong(i -> share[i])
                .toArray();
        assertBalanced("share of an owner", 16, TestColumns.longs(first));
    }

    @Test
    void shouldReadTheKeyColumnsOfTheChunk() {
        Column payload = TestColumns.strings(List.of("x", "y", "z"));
        Column key = TestColumns.longs(1, 2, 1);
        int[] partitionOf = new int[2];
        new HashPartitioner(List.of(payload.type(), key.type()), new int[] {1}, 0, 1_000)
                .partition(5, 9, List.of(payload, key), 1, 2, partitionOf);
        int[] expected = new int[3];
        new HashPartitioner(List.of(key.type()), new int[] {0}, 0, 1_000).partition(0, 0, List.of(key), 0, 3, expected);
        assertThat(partitionOf).containsExactly(expected[1], expected[2]);
        assertThat(expected[0]).isEqualTo(expected[2]);
    }

    @Test
    void shouldDealRowsInTurns() {
        Partitioner partitioner = new RoundRobinPartitioner(3);
        int[] partitionOf = new int[4];
        partitioner.partition(0, 0, List.of(), 0, 4, partitionOf);
        assertThat(partitionOf).containsExactly(0, 1, 2, 0);
        partitioner.partition(1, 7, List.of(), 2, 4, partitionOf);
        assertThat(partitionOf).containsExactly(2, 0, 1, 2);
        partitioner.partition(Long.MAX_VALUE, Long.MAX_VALUE - 4, List.of(), 0, 4, partitionOf);
        assertThat(partitionOf).containsOnly(0, 1, 2);
    }

    @Test
    void shouldRefuseToPartitionIntoNothing() {
        assertThatThrownBy(() -> new RoundRobinPartitioner(0)).hasMessageContaining("partitions is 0");
        assertThatThrownBy(() -> new HashPartitioner(List.of(TestColumns.INT64), new int[] {0}, 0, -1))
                .hasMessageContaining("partitions is -1");
    }

    private static void assertBalanced(String what, int partitions, Column... keys) {
        List<Column> columns = List.of(keys);
        int rows = (int) columns.getFirst().rows();
        int[] partitionOf = new int[rows];
        new HashPartitioner(
                        columns.stream().map(Column::type).toList(),
                        IntStream.range(0, keys.length).toArray(),
                        0,
                        partitions)
                .partition(0, 0, columns, 0, rows, partitionOf);
        int[] counts = new int[partitions];
        for (int partition : partitionOf) {
            counts[partition]++;
        }
        double mean = (double) rows / partitions;
        double slack = SIGMAS * Math.sqrt(mean);
        IntSummaryStatistics spread = Arrays.stream(counts).summaryStatistics();
        assertThat(spread.getMin()).as("%s over %d", what, partitions).isGreaterThan((int) (mean - slack));
        assertThat(spread.getMax()).as("%s over %d", what, partitions).isLessThan((int) (mean + slack) + 1);
    }

    private static long[] numbers(IntToLongFunction number) {
        return IntStream.range(0, KEYS).mapToLong(number).toArray();
    }

    private static Column timestamps() {
        return TestColumns.integers(
                TestColumns.timestamp(TimeUnit.SECOND, ""),
                IntStream.range(0, KEYS)
                        .mapToObj(i -> 1_700_000_000L + 3_600L * i)
                        .toList());
    }

    private static Column wholeFloats() {
        return TestColumns.integers(
                TestColumns.floating(8),
                IntStream.range(0, KEYS)
                        .mapToObj(i -> Double.doubleToRawLongBits(i))
                        .toList());
    }

    /** "Aa" and "BB" have the same String.hashCode, and so has any sequence of them of one length. */
    private static String pairs(int number) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < 15; bit++) {
            text.append(((number >>> bit) & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }
}
