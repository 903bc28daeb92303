package dev.headrace.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    private static final String START = "<!-- statistics -->";
    private static final String END = "<!-- /statistics -->";

    @Test
    void shouldAddSumsAndKeepPeaks() {
        Statistics statistics = new Statistics();
        statistics.add(Statistic.ROWS_IN, 3);
        statistics.add(Statistic.ROWS_IN, 4);
        statistics.max(Statistic.PEAK_HOST_BYTES, 9);
        statistics.max(Statistic.PEAK_HOST_BYTES, 5);
        Snapshot snapshot = statistics.snapshot();
        assertThat(snapshot.value(Statistic.ROWS_IN)).isEqualTo(7);
        assertThat(snapshot.value(Statistic.PEAK_HOST_BYTES)).isEqualTo(9);
        assertThat(snapshot.value(Statistic.ROWS_OUT)).isZero();
        assertThatThrownBy(() -> statistics.add(Statistic.PEAK_HOST_BYTES, 1)).hasMessageContaining("peak");
        assertThatThrownBy(() -> statistics.max(Statistic.ROWS_IN, 1)).hasMessageContaining("sum");
    }

    @Test
    void shouldLoseNothingWithManyThreads() {
        Statistics statistics = new Statistics();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int thread = 0; thread < 4; thread++) {
                threads.execute(() -> {
                    for (int i = 0; i < 10_000; i++) {
                        statistics.add(Statistic.BLOCKS, 1);
                        statistics.max(Statistic.PEAK_DISK_BYTES, i);
                    }
                });
            }
        }
        assertThat(statistics.snapshot().value(Statistic.BLOCKS)).isEqualTo(40_000);
        assertThat(statistics.snapshot().value(Statistic.PEAK_DISK_BYTES)).isEqualTo(9_999);
    }

    @Test
    void shouldMergeRanks() {
        Snapshot one = new Snapshot(Map.of(Statistic.ROWS_IN, 1L, Statistic.PEAK_HOST_BYTES, 5L));
        Snapshot two = new Snapshot(Map.of(Statistic.ROWS_IN, 2L, Statistic.PEAK_HOST_BYTES, 4L));
        Snapshot both = one.merge(two).merge(new Snapshot(Map.of()));
        assertThat(both.value(Statistic.ROWS_IN)).isEqualTo(3);
        assertThat(both.value(Statistic.PEAK_HOST_BYTES)).isEqualTo(5);
    }

    @Test
    void shouldReportSecondsAsFractionsAndBytesAsTheyAre() {
        Snapshot snapshot = new Snapshot(Map.of(Statistic.PACK_TIME, 1_500_000_000L, Statistic.INPUT_BYTES, 5L << 30));
        assertThat(snapshot.toJson())
                .startsWith("{\"")
                .endsWith("}")
                .contains("\"time-pack\": 1.5")
                .contains("\"shuffle-input\": 5368709120")
                .contains("\"shuffle-rows-in\": 0");
        assertThat(snapshot.toText()).contains("1.500 s").contains("5.00 GiB");
        assertThat(snapshot.toText().lines()).hasSize(Statistic.values().length);
    }

    @Test
    void shouldGiveEachStatisticANameOfItsOwn() {
        assertThat(Arrays.stream(Statistic.values()).map(Statistic::statisticName))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z]+(-[a-z]+)*"));
    }

    @Test
    void shouldBeDescribedInTheReadme() throws IOException {
        Path readme = Path.of("..", "README.md");
        assumeTrue(Files.exists(readme), "there is no README.md beside the modules");
        String text = Files.readString(readme);
        assertThat(text).contains(START).contains(END);
        String table = text.substring(text.indexOf(START) + START.length(), text.indexOf(END));
        assertThat(table.strip()).isEqualTo(Statistic.markdownTable().strip());
    }
}
