package dev.headrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.memory.MemoryProfile.Place;
import dev.headrace.memory.SlabPool.Use;
import dev.headrace.metrics.Snapshot;
import dev.headrace.metrics.Statistic;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Figures of several ranks, and on their way between processes. */
final class FiguresTest {
    private static Figures figures(long rows, long peak, Place place) {
        return new Figures(
                new Snapshot(Map.of(Statistic.ROWS_IN, rows, Statistic.PEAK_HOST_BYTES, peak)),
                Map.of(Use.PACK, place));
    }

    @Test
    void shouldComeThroughAPipeAsTheyWere() {
        Figures figures = figures(3, 4, new Place(1, 2, 3, 4));

        assertThat(Figures.parse(figures.format())).isEqualTo(figures);
    }

    @Test
    void shouldAddUpCountsAndKeepTheLargestPeak() {
        Figures both = figures(3, 4, new Place(1, 2, 3, 4)).merge(figures(5, 2, new Place(1, 1, 1, 1)));

        assertThat(both.statistics().value(Statistic.ROWS_IN)).isEqualTo(8);
        assertThat(both.statistics().value(Statistic.PEAK_HOST_BYTES)).isEqualTo(4);
        assertThat(both.memory()).containsEntry(Use.PACK, new Place(2, 3, 4, 4));
    }

    @Test
    void shouldGiveWhatWasAddedSinceButPeaksOfAllTime() {
        Snapshot run = figures(8, 4, new Place(0, 0, 0, 0))
                .since(figures(3, 4, new Place(0, 0, 0, 0)))
                .statistics();

        assertThat(run.value(Statistic.ROWS_IN)).isEqualTo(5);
        assertThat(run.value(Statistic.PEAK_HOST_BYTES)).isEqualTo(4);
    }
}
