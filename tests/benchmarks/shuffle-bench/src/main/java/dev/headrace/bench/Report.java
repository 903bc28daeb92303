package dev.headrace.bench;

import dev.headrace.bench.Result.Run;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Writes a result for people. Stateless. */
final class Report {
    private final PrintStream out;

    Report(PrintStream out) {
        this.out = out;
    }

    void begin(BenchSettings settings) {
        Workload workload = settings.workload();
        out.printf(
                Locale.ROOT,
                "%s, %d ranks of %d threads, plan %s; each has %,d rows of %s in %d batches; %d partitions in all%n",
                settings.communicator(),
                settings.ranks(),
                settings.threads(),
                settings.plan(),
                workload.rows(),
                workload.kind(),
                workload.batches(),
                workload.partitions());
        out.printf(
                Locale.ROOT,
                "memory: %s of each rank, %s%n",
                settings.memoryLimitBytes() == 0 ? "enough" : ByteSize.shown(settings.memoryLimitBytes()),
                settings.memoryResource());
    }

    void run(Result result, int number) {
        Run run = result.runs().get(number);
        figures("run " + (number + 1), result, figure -> figure.applyAsDouble(run));
    }

    void end(Result result, boolean memoryProfile) {
        figures("mean", result, result::mean);
        figures("median", result, result::median);
        out.printf(Locale.ROOT, "input: %s in all%n", ByteSize.shown(result.inputBytes()));
        if (result.networkBytesPerSecond() > 0) {
            out.printf(Locale.ROOT, "UCX alone: %s/s, all ranks together%n", ByteSize.shown((long)
                    result.networkBytesPerSecond()));
        }
        out.printf(
                Locale.ROOT,
                "%nStatistics of the last run, all ranks together:%n%s%n",
                result.statistics().toText());
        if (memoryProfile) {
            memory(result);
        }
    }

    /** @param of what one run's figure comes to: that of a certain run, or of all of them */
    private void figures(String name, Result result, ToDoubleFunction<ToDoubleFunction<Run>> of) {
        out.printf(
                Locale.ROOT,
                "%-7s elapsed %8.4f s  cpu %7.2f s  local %7.3f GiB/s  global %7.3f GiB/s  copy %7.3f GiB/s  of roofline %.3f%n",
                name,
                of.applyAsDouble(result::elapsedSeconds),
                of.applyAsDouble(Result::processorSeconds),
                of.applyAsDouble(result::localGibPerSecond),
                of.applyAsDouble(result::globalGibPerSecond),
                of.applyAsDouble(Result::copyGibPerSecond),
                of.applyAsDouble(result::ofRoofline));
    }

    private void memory(Result result) {
        out.printf(Locale.ROOT, "Memory profile since the start, warm-ups too, peaks of all ranks added up:%n");
        out.printf(Locale.ROOT, "%-8s %10s %12s %12s %12s%n", "place", "calls", "peak", "accumulated", "max");
        result.figures()
                .memory()
                .forEach((use, place) -> out.printf(
                        Locale.ROOT,
                        "%-8s %,10d %12s %12s %12s%n",
                        use.name().toLowerCase(Locale.ROOT),
                        place.calls(),
                        ByteSize.shown(place.peakBytes()),
                        ByteSize.shown(place.accumulatedBytes()),
                        ByteSize.shown(place.maxBytes())));
    }
}
