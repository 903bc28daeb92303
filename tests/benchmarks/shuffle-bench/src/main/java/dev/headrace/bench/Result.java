package dev.headrace.bench;

import dev.headrace.metrics.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What came out.
 *
 * @param inputBytes of all ranks
 * @param figures of all ranks: statistics of the last run, memory since the start
 * @param networkBytesPerSecond of all ranks, 0 if there is no network between them
 */
record Result(BenchSettings settings, long inputBytes, List<Run> runs, Figures figures, double networkBytesPerSecond) {
    private static final double GIB = 0x1p30;
    private static final double NANOS = 1e9;

    /**
     * One run.
     *
     * @param processorNanos what all ranks used of the processors: on a machine with other work that says more
     * @param copyBytesPerSecond how fast memory was copied just before and after it, by all threads together
     */
    record Run(long elapsedNanos, long processorNanos, double copyBytesPerSecond) {}

    double elapsedSeconds(Run run) {
        return run.elapsedNanos() / NANOS;
    }

    static double processorSeconds(Run run) {
        return run.processorNanos() / NANOS;
    }

    /** All bytes over the time that all ranks took. */
    double globalGibPerSecond(Run run) {
        return inputBytes / GIB / elapsedSeconds(run);
    }

    double localGibPerSecond(Run run) {
        return globalGibPerSecond(run) / settings.ranks();
    }

    static double copyGibPerSecond(Run run) {
        return run.copyBytesPerSecond() / GIB;
    }

    /**
     * The time that cannot be undercut, over the time that it took. A byte is copied once to be packed, and once more
     * to another rank, unless it stays: (R - 1) / R of them don't.
     */
    double ofRoofline(Run run) {
        double copies = 1 + (settings.ranks() - 1.0) / settings.ranks();
        return inputBytes * copies / run.copyBytesPerSecond() / elapsedSeconds(run);
    }

    double median(ToDoubleFunction<Run> value) {
        double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    double mean(ToDoubleFunction<Run> value) {
        return runs.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    /** One object; statistics have their own names beside the rest. */
    String toJson() {
        StringJoiner json = new StringJoiner(", ", "{", "}");
        json.add(quoted("communicator") + ": " + quoted(settings.communicator().toString()));
        json.add(quoted("type") + ": " + quoted(settings.workload().kind().toString()));
        json.add(quoted("plan") + ": " + quoted(settings.plan().toString()));
        json.add(quoted("ranks") + ": " + settings.ranks());
        json.add(quoted("threads") + ": " + settings.threads());
        json.add(quoted("partitions") + ": " + settings.workload().partitions());
        json.add(quoted("rows") + ": " + settings.rowsOfAllRanks());
        json.add(quoted("input_bytes") + ": " + inputBytes);
        json.add(quoted("elapsed_s") + ": " + list(this::elapsedSeconds));
        json.add(quoted("cpu_s") + ": " + list(Result::processorSeconds));
        json.add(quoted("of_roofline_per_run") + ": " + list(this::ofRoofline));
        json.add(quoted("local_gib_per_s") + ": " + number(median(this::localGibPerSecond)));
        json.add(quoted("global_gib_per_s") + ": " + number(median(this::globalGibPerSecond)));
        json.add(quoted("roofline_gib_per_s") + ": " + number(median(Result::copyGibPerSecond)));
        json.add(quoted("of_roofline") + ": " + number(median(this::ofRoofline)));
        if (networkBytesPerSecond > 0) {
            json.add(quoted("ucx_gib_per_s") + ": " + number(networkBytesPerSecond / GIB));
        }
        json.add(quoted("memory_profile") + ": " + memoryProfile());
        String statistics = figures.statistics().toJson();
        json.add(statistics.substring(1, statistics.length() - 1));
        return json.toString();
    }

    private String memoryProfile() {
        return figures.memory().entrySet().stream()
                .map(entry -> String.format(
                        Locale.ROOT,
                        "\"%s\": {\"calls\": %d, \"peak_bytes\": %d, \"accumulated_bytes\": %d, \"max_bytes\": %d}",
                        entry.getKey().name().toLowerCase(Locale.ROOT),
                        entry.getValue().calls(),
                        entry.getValue().peakBytes(),
                        entry.getValue().accumulatedBytes(),
                        entry.getValue().maxBytes()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private String list(ToDoubleFunction<Run> value) {
        return Arrays.toString(
                runs.stream().map(run -> number(value.applyAsDouble(run))).toArray());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6f", value);
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    Snapshot statistics() {
        return figures.statistics();
    }
}
