package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.spill.FileSpillStore;
import dev.headrace.testing.FlakySpillStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MemoryLimitTest {
    private static final int RANKS = 2;

    @TempDir
    Path folder;

    /** About 64 MiB in batches of about 2 MiB. */
    private static List<byte[]> batches() {
        Random random = new Random(1);
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            batches.add(Tables.stream(Tables.rows(random, 30_000, 30_000L * i, 1_000_000, 90)));
        }
        return batches;
    }

    private static long rows(Map<Integer, byte[]> parts) {
        return parts.values().stream()
                .mapToLong(part -> Tables.rows(part).size())
                .sum();
    }

    private static JsonObject statistics(LocalRanks cluster, int rank) {
        return JsonParser.parseString(cluster.engine(rank).statisticsJson()).getAsJsonObject();
    }

    @Test
    void shouldFinishThroughTheDiskWhenAllRanksAreAtTheirLimit() {
        long limitBytes = EngineConfig.leastMemoryBytes(RANKS);
        try (LocalRanks cluster = new LocalRanks(RANKS, limitBytes, folder)) {
            Map<Integer, byte[]> parts = cluster.shuffle(LocalRanks.hash(List.of("k"), 16), batches());
            assertThat(rows(parts)).isEqualTo(32 * 30_000L);
            for (int rank = 0; rank < RANKS; rank++) {
                assertThat(statistics(cluster, rank).get("peak-host").getAsLong())
                        .isLessThanOrEqualTo(limitBytes);
                assertThat(statistics(cluster, rank).get("copy-host-to-disk").getAsLong())
                        .isPositive();
                assertThat(cluster.engine(rank).roomBytes())
                        .as("nothing is left behind")
                        .isPositive();
            }
        }
    }

    @Test
    void shouldWriteNothingToDiskWhenMemoryIsEnough() {
        try (LocalRanks cluster = new LocalRanks(RANKS, 192L << 20, folder)) {
            cluster.shuffle(LocalRanks.hash(List.of("k"), 16), batches());
            for (int rank = 0; rank < RANKS; rank++) {
                assertThat(statistics(cluster, rank).get("copy-host-to-disk").getAsLong())
                        .isZero();
            }
        }
    }

    @Test
    void shouldFailEverywhereWhenTheDiskIsFullAsWell() {
        long limitBytes = EngineConfig.leastMemoryBytes(RANKS);
        try (LocalRanks cluster = new LocalRanks(
                RANKS,
                limitBytes,
                folder,
                (_, transport) -> transport,
                budget ->
                        new FlakySpillStore(new FileSpillStore(List.of(folder), budget), 1).diskFullAfter(4L << 20))) {
            long start = System.nanoTime();
            assertThatThrownBy(() -> cluster.shuffle(LocalRanks.hash(List.of("k"), 16), batches()))
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.DISK_FULL));
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
            List<byte[]> small = List.of(Tables.stream(Tables.rows(new Random(2), 10, 0, 5, 5)));
            assertThat(rows(cluster.shuffle(LocalRanks.hash(List.of("k"), 4), small)))
                    .isEqualTo(10);
        }
    }

    @Test
    void shouldRefuseWhatChangedOnDisk() {
        try (LocalRanks cluster = new LocalRanks(
                RANKS,
                EngineConfig.leastMemoryBytes(RANKS),
                folder,
                (_, transport) -> transport,
                budget -> new FlakySpillStore(new FileSpillStore(List.of(folder), budget), 1).corruptReads(1))) {
            assertThatThrownBy(() -> cluster.shuffle(LocalRanks.hash(List.of("k"), 16), batches()))
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.CORRUPT_DATA));
        }
    }

    /** Entry tables are read alone, so every read has to be checked, not every block. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldGiveEveryRowOrRefuseWhenABitChangesOnDiskNowAndThen(long seed) {
        try (LocalRanks cluster = new LocalRanks(
                RANKS,
                EngineConfig.leastMemoryBytes(RANKS),
                folder,
                (_, transport) -> transport,
                budget -> new FlakySpillStore(new FileSpillStore(List.of(folder), budget), seed).corruptReads(0.02))) {
            assertThat(rows(cluster.shuffle(LocalRanks.hash(List.of("k"), 16), batches())))
                    .isEqualTo(32 * 30_000L);
        } catch (HeadraceException e) {
            assertThat(e.category()).isEqualTo(Category.CORRUPT_DATA);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldMoveHugeRowsOfDifferentSizesBothWays(long seed) {
        Random random = new Random(seed);
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int bytes = (1 << 20) + random.nextInt(12 << 20);
            batches.add(Tables.stream(List.of(new Tables.Row(i, i, "y".repeat(bytes)))));
        }
        try (LocalRanks cluster = new LocalRanks(RANKS, 40L << 20, folder)) {
            assertThat(rows(cluster.shuffle(LocalRanks.hash(List.of("k"), 8), batches)))
                    .isEqualTo(40);
        }
    }

    @Test
    void shouldMoveRowsOfAlmostHalfTheMemoryBothWays() {
        long limitBytes = 40L << 20;
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            batches.add(Tables.stream(List.of(new Tables.Row(i, i, "y".repeat(12 << 20)))));
        }
        try (LocalRanks cluster = new LocalRanks(RANKS, limitBytes, folder)) {
            assertThat(rows(cluster.shuffle(LocalRanks.hash(List.of("k"), 8), batches)))
                    .isEqualTo(8);
        }
    }

    @Test
    void shouldRefuseARowOverTheLimitWithTheFigure() {
        List<byte[]> batches = List.of(Tables.stream(List.of(new Tables.Row(1, 1, "y".repeat(20 << 20)))));
        try (LocalRanks cluster = new LocalRanks(RANKS, 20L << 20, folder)) {
            assertThatThrownBy(() -> cluster.shuffle(LocalRanks.hash(List.of("k"), 8), batches))
                    .hasMessageContaining("a row takes 2097")
                    .hasMessageContaining("memory_limit 20971520")
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.OUT_OF_MEMORY));
        }
    }

    @Test
    void shouldRefuseALimitBelowWhatARankNeedsAndNameIt() {
        assertThatThrownBy(() -> new EngineConfig(0, 2, 1, 1 << 20, List.of(folder)))
                .hasMessageContaining("memory_limit is 1048576")
                .hasMessageContaining(Long.toString(EngineConfig.leastMemoryBytes(2)));
    }
}
