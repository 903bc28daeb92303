package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("stress")
final class ManyShufflesTest {
    @TempDir
    Path folder;

    private static long rows(Map<Integer, byte[]> parts) {
        return parts.values().stream()
                .mapToLong(part -> Tables.rows(part).size())
                .sum();
    }

    @Test
    void shouldRunSixtyFourShufflesAtOnceInLittleMemory() throws Exception {
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            batches.add(Tables.stream(Tables.rows(new Random(i), 1_000, 1_000L * i, 5_000, 50)));
        }
        try (LocalRanks cluster = new LocalRanks(2, 48L << 20, folder);
                ExecutorService threads = Executors.newFixedThreadPool(64)) {
            List<Future<Long>> running = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                running.add(threads.submit(() -> rows(cluster.shuffle(LocalRanks.hash(List.of("k"), 10), batches))));
            }
            for (Future<Long> one : running) {
                assertThat(one.get()).isEqualTo(20_000);
            }
        }
    }

    @Test
    void shouldTakeTenThousandBatchesIntoAThousandPartitions() {
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            batches.add(Tables.stream(Tables.rows(new Random(i), 10, 10L * i, 100_000, 20)));
        }
        try (LocalRanks cluster = new LocalRanks(2, 64L << 20, folder)) {
            assertThat(rows(cluster.shuffle(LocalRanks.hash(List.of("k"), 1_000), batches)))
                    .isEqualTo(100_000);
        }
    }
}
