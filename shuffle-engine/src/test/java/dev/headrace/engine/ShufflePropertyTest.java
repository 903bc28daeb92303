package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.metrics.Statistic;
import dev.headrace.spill.FileSpillStore;
import dev.headrace.testing.FlakySpillStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What must hold for any rows, ranks, partitions, limits and schedules: every row comes out once, equal keys come out
 * together, rows of one batch keep their order and batches follow each other in a partition. One case is repeated with
 * {@code -Dheadrace.seed=N}.
 */
final class ShufflePropertyTest {
    @TempDir
    Path folder;

    static List<Long> seeds() {
        Long one = Long.getLong("headrace.seed");
        if (one != null) {
            return List.of(one);
        }
        long first = System.nanoTime();
        List<Long> seeds = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            seeds.add(first + i);
        }
        return seeds;
    }

    @ParameterizedTest(name = "-Dheadrace.seed={0}")
    @MethodSource("seeds")
    void shouldKeepEveryRowWhateverTheSchedule(long seed) {
        Random random = new Random(seed);
        int ranks = 1 + random.nextInt(4);
        int partitions = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
        long limitBytes = random.nextInt(3) == 0 ? 256L << 20 : EngineConfig.leastMemoryBytes(ranks);
        List<List<Tables.Row>> batches = batches(random);
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), partitions);
        try (LocalRanks cluster = cluster(ranks, limitBytes, seed)) {
            Map<Integer, byte[]> parts =
                    cluster.shuffle(spec, batches.stream().map(Tables::stream).toList());
            check(batches, parts, partitions);
        }
    }

    @Test
    void shouldCountAFrameOnceThatComesTwice() {
        Random random = new Random(11);
        List<List<Tables.Row>> batches = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            batches.add(Tables.rows(random, 20_000, 20_000L * i, 5_000, 60));
        }
        try (LocalRanks cluster = cluster(3, EngineConfig.leastMemoryBytes(3), 11)) {
            Map<Integer, byte[]> parts = cluster.shuffle(
                    LocalRanks.hash(List.of("k"), 7),
                    batches.stream().map(Tables::stream).toList());
            check(batches, parts, 7);
            long dropped = 0;
            for (int rank = 0; rank < 3; rank++) {
                dropped += cluster.engine(rank).statistics().snapshot().value(Statistic.DUPLICATES_DROPPED);
            }
            assertThat(dropped).as("blocks that came twice").isPositive();
        }
    }

    private LocalRanks cluster(int ranks, long limitBytes, long seed) {
        return LocalRanks.flaky(
                ranks,
                limitBytes,
                folder,
                seed,
                budget -> new FlakySpillStore(new FileSpillStore(List.of(folder), budget), seed)
                        .delay(Duration.ofMillis(2)));
    }

    private static List<List<Tables.Row>> batches(Random random) {
        List<List<Tables.Row>> batches = new ArrayList<>();
        int count = random.nextInt(25);
        long id = 0;
        for (int i = 0; i <= count; i++) {
            int rows = random.nextInt(random.nextInt(4) == 0 ? 60_000 : 200);
            batches.add(Tables.rows(random, rows, id, 1 + random.nextInt(5_000), random.nextInt(80)));
            id += rows;
        }
        return batches;
    }

    private static void check(List<List<Tables.Row>> batches, Map<Integer, byte[]> parts, int partitions) {
        Map<Long, Tables.Row> missing = new HashMap<>();
        batches.forEach(batch -> batch.forEach(row -> missing.put(row.id(), row)));
        assertThat(parts).hasSize(partitions);
        Map<Long, Integer> partitionOfKey = new HashMap<>();
        parts.forEach((partition, stream) -> {
            long last = -1;
            for (Tables.Row row : Tables.rows(stream)) {
                assertThat(missing.remove(row.id())).isEqualTo(row);
                assertThat(partitionOfKey.computeIfAbsent(row.key(), _ -> partition))
                        .isEqualTo(partition);
                assertThat(row.id()).as("ids ascend with batch and row").isGreaterThan(last);
                last = row.id();
            }
        });
        assertThat(missing).isEmpty();
    }
}
