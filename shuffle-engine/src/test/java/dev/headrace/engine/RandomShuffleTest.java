package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.spill.FileSpillStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A random shuffle loses no row, repeats with its seed whatever the memory and the schedule, and has no pattern. */
final class RandomShuffleTest {
    private static final long ROOMY_BYTES = 256L << 20;
    private static final int SIGMAS = 6;

    @TempDir
    Path folder;

    private static List<byte[]> batches(long seed, int rows, int textBytes, int... sizes) {
        Random random = new Random(seed);
        List<byte[]> batches = new ArrayList<>();
        long id = 0;
        for (int size : sizes) {
            batches.add(Tables.stream(Tables.rows(random, size, id, 100, textBytes)));
            id += size;
        }
        assertThat(id).isEqualTo(rows);
        return batches;
    }

    private static Map<Integer, List<Long>> ids(Map<Integer, byte[]> parts) {
        Map<Integer, List<Long>> ids = new TreeMap<>();
        parts.forEach((number, stream) ->
                ids.put(number, Tables.rows(stream).stream().map(Tables.Row::id).toList()));
        return ids;
    }

    private LocalRanks flaky(int ranks, long limitBytes, long seed) {
        return LocalRanks.flaky(ranks, limitBytes, folder, seed, budget -> new FileSpillStore(List.of(folder), budget));
    }

    /** With few buckets each is too large for a group and is read in parts. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 3, 1", "2, 3, 1024", "2, 5, 16", "2, 1, 1024"})
    void shouldGiveTheSameOrderWhateverTheMemoryAndTheSchedule(int ranks, int partitions, int buckets) {
        long seed = System.nanoTime();
        List<byte[]> batches = batches(seed, 60_000, 900, 20_000, 0, 39_999, 1);
        Rule rule = new Rule.Random(seed, buckets);
        Map<Integer, List<Long>> roomy;
        try (LocalRanks cluster = new LocalRanks(ranks, ROOMY_BYTES, folder)) {
            roomy = ids(cluster.shuffle(LocalRanks.spec(rule, partitions), batches));
        }
        try (LocalRanks cluster = flaky(ranks, EngineConfig.leastMemoryBytes(ranks), seed)) {
            assertThat(ids(cluster.shuffle(LocalRanks.spec(rule, partitions), batches)))
                    .as("seed %d", seed)
                    .isEqualTo(roomy);
            assertThat(cluster.engine(0).statisticsJson()).doesNotContainPattern("copy-host-to-disk\"[: ]+0[,.]");
        }
        assertThat(roomy.values().stream().flatMap(List::stream).sorted().toList())
                .isEqualTo(LongStream.range(0, 60_000).boxed().toList());
    }

    @Test
    void shouldGiveEveryPermutationOfFourRowsAsOften() {
        List<byte[]> batches = batches(1, 4, 3, 3, 1);
        Map<List<Long>, Integer> seen = new HashMap<>();
        int runs = 2_400;
        long seed = System.nanoTime();
        try (LocalRanks cluster = new LocalRanks(2, ROOMY_BYTES, folder)) {
            for (int run = 0; run < runs; run++) {
                Rule rule = new Rule.Random(seed + run, 1 + run % 3);
                Map<Integer, List<Long>> parts = ids(cluster.shuffle(LocalRanks.spec(rule, 1), batches));
                seen.merge(parts.get(0), 1, Integer::sum);
            }
        }
        assertThat(seen).as("seed %d", seed).hasSize(24);
        double each = runs / 24.0;
        assertThat(seen.values())
                .allSatisfy(times -> assertThat(Math.abs(times - each)).isLessThan(SIGMAS * Math.sqrt(each)));
    }

    @Test
    void shouldLeaveNoPatternOfTheInput() {
        long seed = System.nanoTime();
        List<byte[]> batches = batches(seed, 20_000, 20, 12_000, 8_000);
        Map<Integer, List<Long>> parts;
        try (LocalRanks cluster = new LocalRanks(2, ROOMY_BYTES, folder)) {
            parts = ids(cluster.shuffle(LocalRanks.spec(new Rule.Random(seed), 2), batches));
        }
        parts.forEach((number, ids) -> {
            int rows = ids.size();
            assertThat(Math.abs(rows - 10_000)).isLessThan(SIGMAS * 71);
            int ascents = 0;
            int lateInFirstHalf = 0;
            for (int i = 0; i < rows; i++) {
                ascents += i > 0 && ids.get(i - 1) < ids.get(i) ? 1 : 0;
                lateInFirstHalf += i < rows / 2 && ids.get(i) >= 10_000 ? 1 : 0;
            }
            // Ascents of a random permutation: mean n/2, variance n/12.
            assertThat(Math.abs(ascents - rows / 2.0)).as("seed %d", seed).isLessThan(SIGMAS * Math.sqrt(rows / 12.0));
            assertThat(Math.abs(lateInFirstHalf - rows / 4.0)).isLessThan(SIGMAS * Math.sqrt(rows / 16.0));
        });
    }

    @Test
    void shouldGiveEachPageAgainAsItWas() {
        List<byte[]> batches = batches(5, 40_000, 900, 40_000);
        ShuffleSpec spec = LocalRanks.spec(new Rule.Random(5, 3), 1);
        try (LocalRanks cluster = new LocalRanks(1, ROOMY_BYTES, folder);
                Shuffle shuffle = cluster.engine(0).open(spec)) {
            LocalRanks.insert(shuffle, 0, batches.getFirst());
            shuffle.finish(new long[] {0}, 40_000);
            assertThat(shuffle.completed(0, Duration.ofSeconds(30))).containsExactly(0);
            byte[] once = LocalRanks.fetch(shuffle, 0);
            assertThat(LocalRanks.fetch(shuffle, 0)).isEqualTo(once);
            assertThat(ids(Map.of(0, once)).get(0)).hasSize(40_000);
        }
    }
}
