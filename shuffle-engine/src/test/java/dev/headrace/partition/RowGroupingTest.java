package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class RowGroupingTest {
    private static final int FROM = 1_000;

    private final RowGrouping grouping = new RowGrouping();

    /** Few rows sort, many count: the sizes reach both roads. */
    @Property
    void shouldSortRowsByPartitionAndThenByRow(
            @ForAll @Size(max = 200) List<@IntRange(max = 999) Integer> numbers,
            @ForAll @IntRange(min = 1) int spread) {
        int partitions = Math.min(spread, 1_000);
        int[] partitionOf = numbers.stream().mapToInt(n -> n % partitions).toArray();
        grouping.group(partitionOf, FROM, partitionOf.length, partitions);
        int[] expected = IntStream.range(0, partitionOf.length)
                .boxed()
                .sorted(Comparator.comparingInt(row -> partitionOf[row]))
                .mapToInt(row -> FROM + row)
                .toArray();
        assertThat(Arrays.copyOf(grouping.order(), partitionOf.length)).isEqualTo(expected);
        int[] present = Arrays.stream(partitionOf).sorted().distinct().toArray();
        assertThat(Arrays.copyOf(grouping.partitions(), grouping.groups())).isEqualTo(present);
        assertThat(grouping.starts()[grouping.groups()]).isEqualTo(partitionOf.length);
        for (int group = 0; group < grouping.groups(); group++) {
            for (int i = grouping.starts()[group]; i < grouping.starts()[group + 1]; i++) {
                assertThat(partitionOf[grouping.order()[i] - FROM]).isEqualTo(present[group]);
            }
        }
    }

    @Test
    void shouldFindTheFirstGroupOfARange() {
        grouping.group(new int[] {7, 3, 7, 900}, 4, 1_000);
        assertThat(grouping.order()).startsWith(1, 0, 2, 3);
        assertThat(IntStream.of(0, 3, 4, 7, 8, 900, 901).map(grouping::firstGroup))
                .containsExactly(0, 0, 1, 1, 2, 2, 3);
    }

    @Test
    void shouldForgetTheFormerPiece() {
        grouping.group(new int[] {1, 0, 1, 0, 2}, 5, 3);
        grouping.group(new int[] {1, 1}, 2, 2);
        assertThat(grouping.groups()).isEqualTo(1);
        assertThat(grouping.order()).startsWith(0, 1);
        assertThat(grouping.starts()).startsWith(0, 2);
        grouping.group(new int[0], 0, 3);
        assertThat(grouping.groups()).isZero();
        assertThat(grouping.starts()).startsWith(0);
    }

    @Test
    void shouldTakeFewRowsOfTheLargestNumberOfPartitions() {
        grouping.group(new int[] {Integer.MAX_VALUE - 1, 0, Integer.MAX_VALUE - 1}, 3, Integer.MAX_VALUE);
        assertThat(grouping.order()).startsWith(1, 0, 2);
        assertThat(grouping.partitions()).startsWith(0, Integer.MAX_VALUE - 1);
    }
}
