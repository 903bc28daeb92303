package dev.headrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.headrace.metrics.Snapshot;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The arithmetic of the result. */
final class ResultTest {
    private static final long GIB = 1L << 30;

    private static Result result(int ranks, Result.Run... runs) {
        Workload workload = new Workload(TableKind.INT64, 1, 10, 1, 10, 8, false);
        BenchSettings settings = new BenchSettings(
                Communicator.IN_PROCESS,
                workload,
                ranks,
                1,
                0,
                List.of(),
                MemoryResource.POOL,
                false,
                Plan.AUTO,
                runs.length,
                0,
                Path.of(""),
                "lo");
        return new Result(settings, GIB, List.of(runs), new Figures(new Snapshot(Map.of()), Map.of()), 0);
    }

    @Test
    void shouldDivideAllBytesByTheWallTime() {
        Result.Run run = new Result.Run(500_000_000, 0, GIB);
        Result result = result(4, run);

        assertThat(result.globalGibPerSecond(run)).isEqualTo(2.0, within(1e-9));
        assertThat(result.localGibPerSecond(run)).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void shouldCountOneCopyToPackAndOneForWhatLeavesItsRank() {
        Result.Run run = new Result.Run(1_000_000_000, 0, 10 * GIB);

        assertThat(result(1, run).ofRoofline(run)).isEqualTo(0.1, within(1e-9));
        assertThat(result(4, run).ofRoofline(run)).isEqualTo(0.175, within(1e-9));
    }

    @Test
    void shouldTakeTheMiddleOfTheRuns() {
        Result odd = result(1, new Result.Run(3, 0, 1), new Result.Run(1, 0, 1), new Result.Run(9, 0, 1));
        Result even = result(1, new Result.Run(3, 0, 1), new Result.Run(1, 0, 1));

        assertThat(odd.median(Result.Run::elapsedNanos)).isEqualTo(3);
        assertThat(even.median(Result.Run::elapsedNanos)).isEqualTo(2);
    }
}
