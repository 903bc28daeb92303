package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.testing.TestColumns;
import dev.headrace.testing.TestTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows land where a plain comparison of Java values says; one case is repeated with {@code -Dheadrace.seed=N}. */
final class RangePartitionerTest {

    static List<Long> seeds() {
        Long one = Long.getLong("headrace.seed");
        List<Long> seeds = new ArrayList<>(one == null ? List.of() : List.of(one));
        for (int i = 0; one == null && i < 300; i++) {
            seeds.add(System.nanoTime() + i);
        }
        return seeds;
    }

    @ParameterizedTest(name = "-Dheadrace.seed={0}")
    @MethodSource("seeds")
    void shouldPlaceRowsOfAnyTypesAsAPlainComparisonDoes(long seed) {
        Random random = new Random(seed);
        int keys = 1 + random.nextInt(3);
        int rows = 1 + random.nextInt(random.nextInt(4) == 0 ? 6_000 : 60);
        int partitions = 1 + random.nextInt(random.nextBoolean() ? 4 : 40);
        List<SortKey> order = new ArrayList<>();
        List<SortableType> types = new ArrayList<>();
        for (int key = 0; key < keys; key++) {
            order.add(new SortKey("k" + key, random.nextBoolean(), random.nextBoolean()));
            types.add(SortableType.any(random));
        }
        List<List<@Nullable Object>> table = rows(random, types, rows);
        List<List<@Nullable Object>> boundaries =
                new ArrayList<>(rows(random, types, random.nextInt(8) == 0 ? 0 : partitions - 1));
        boundaries.sort((a, b) -> SortableType.compare(types, order, a, b));

        List<DataType> rowTypes =
                types.stream().map(type -> type.layout(random)).toList();
        int[] found = new int[rows];
        partitioner(order, types, rowTypes, boundaries, partitions, random)
                .partition(0, 0, columns(rowTypes, table), 0, rows, found);

        for (int row = 0; row < rows; row++) {
            int wanted = 0;
            for (List<@Nullable Object> boundary : boundaries) {
                wanted += SortableType.compare(types, order, boundary, table.get(row)) <= 0 ? 1 : 0;
            }
            assertThat(found[row])
                    .as("%s among %s by %s as %s", table.get(row), boundaries, order, rowTypes)
                    .isEqualTo(wanted);
        }
    }

    private static RangePartitioner partitioner(
            List<SortKey> order,
            List<SortableType> types,
            List<DataType> rowTypes,
            List<List<@Nullable Object>> boundaries,
            int partitions,
            Random random) {
        List<DataType> boundaryTypes =
                types.stream().map(type -> type.layout(random)).toList();
        int cut = random.nextInt(boundaries.size() + 1);
        List<List<Column>> chunks = List.of(
                columns(boundaryTypes, boundaries.subList(0, cut)),
                columns(boundaryTypes, boundaries.subList(cut, boundaries.size())));
        KeyRows rows = new KeyRows(order, boundaryTypes, chunks);
        rows.checkBoundaries(partitions);
        int[] keys = new int[order.size()];
        Arrays.setAll(keys, i -> i);
        return new RangePartitioner(rowTypes, keys, rows);
    }

    private static List<List<@Nullable Object>> rows(Random random, List<SortableType> types, int count) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<@Nullable Object> row = new ArrayList<>();
            types.forEach(type -> row.add(type.value(random)));
            rows.add(row);
        }
        return rows;
    }

    private static List<Column> columns(List<DataType> types, List<List<@Nullable Object>> rows) {
        List<Column> columns = new ArrayList<>();
        for (int key = 0; key < types.size(); key++) {
            List<@Nullable Object> values = new ArrayList<>();
            for (List<@Nullable Object> row : rows) {
                values.add(row.get(key));
            }
            columns.add(TestColumns.of(types.get(key), values));
        }
        return columns;
    }

    private static KeyRows longs(Long... boundaries) {
        return new KeyRows(
                List.of(SortKey.ascending("k")),
                List.of(TestTypes.INT64),
                List.of(List.of(TestColumns.of(TestTypes.INT64, (Object[]) boundaries))));
    }

    @Test
    void shouldNameTheBoundaryThatIsOutOfOrder() {
        assertThatThrownBy(() -> longs(1L, 7L, 3L).checkBoundaries(4))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("boundary 2 comes before boundary 1");
    }

    @Test
    void shouldNameBothNumbersWhenBoundariesAreTooFewOrTooMany() {
        assertThatThrownBy(() -> longs(1L, 7L).checkBoundaries(4)).hasMessageContaining("2 boundaries");
        assertThatThrownBy(() -> longs(1L, 7L).checkBoundaries(2)).hasMessageContaining("which take 1");
    }

    @Test
    void shouldNameBothTypesWhenTheyCannotBeCompared() {
        assertThatThrownBy(() -> new RangePartitioner(List.of(TestTypes.STRING), new int[] {0}, longs(1L)))
                .hasMessageContaining("\"k\"")
                .hasMessageContaining("string")
                .hasMessageContaining("int64");
    }
}
