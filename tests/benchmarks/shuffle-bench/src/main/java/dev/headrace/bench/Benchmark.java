package dev.headrace.bench;

import dev.headrace.HeadraceException;
import dev.headrace.bench.Result.Run;
import dev.headrace.metrics.Statistic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs one benchmark from the first rank's start to the last one's end; one thread. */
final class Benchmark {
    private static final double NANOS = 1e9;

    private final BenchSettings settings;
    private final Ranks ranks;
    private final CopyBandwidth copy;
    private final ProgressBar bar;
    private long wireId;
    private @Nullable Figures lastRun;

    private Benchmark(BenchSettings settings, Ranks ranks, CopyBandwidth copy, ProgressBar bar) {
        this.settings = settings;
        this.ranks = ranks;
        this.copy = copy;
        this.bar = bar;
    }

    /** @param commandLine as {@link Ranks} takes it */
    static Result run(BenchSettings settings, List<String> commandLine, ProgressBar bar) {
        try (Ranks ranks = new Ranks(settings, commandLine);
                CopyBandwidth copy = new CopyBandwidth(settings.ranks() * settings.threads())) {
            return new Benchmark(settings, ranks, copy, bar).run();
        }
    }

    private Result run() {
        bar.begin("making input", 1);
        long bytes = sum(ranks.all(BenchRank::prepare));
        double network = settings.communicator().hasProcesses() && settings.ranks() > 1 ? networkBytesPerSecond() : 0;
        boolean keepEngines = settings.memoryResource() == MemoryResource.POOL;
        if (keepEngines) {
            startEngines();
        }
        List<Run> runs = new ArrayList<>();
        double before = copy.measure();
        for (int i = -settings.warmups(); i < settings.runs(); i++) {
            if (!keepEngines) {
                startEngines();
            }
            bar.begin(
                    i < 0 ? "warm-up " + (settings.warmups() + i + 1) : "run " + (i + 1) + " of " + settings.runs(),
                    (long) settings.ranks() * settings.workload().batches()
                            + settings.workload().partitions());
            Duration used = ranks.processorTime();
            long nanos = shuffle();
            used = ranks.processorTime().minus(used);
            double after = copy.measure();
            if (i >= 0) {
                runs.add(new Run(nanos, used.toNanos(), (before + after) / 2));
            }
            before = after;
            if (!keepEngines) {
                ranks.each(BenchRank::stop);
            }
        }
        return new Result(settings, bytes, runs, Objects.requireNonNull(lastRun), network);
    }

    private void startEngines() {
        List<byte[]> addresses = ranks.all(BenchRank::start);
        ranks.each(rank -> rank.connect(addresses));
    }

    /** One shuffle, from its opening to its last partition, in nanoseconds. */
    private long shuffle() {
        Figures before = figures();
        long id = ++wireId;
        long start = System.nanoTime();
        ranks.each(rank -> rank.open(id));
        ranks.each(rank -> rank.shuffle(bar::step));
        long nanos = System.nanoTime() - start;
        Figures run = figures().since(before);
        ranks.each(BenchRank::closeShuffle);
        long rows = run.statistics().value(Statistic.ROWS_OUT);
        if (rows != settings.rowsOfAllRanks()) {
            throw HeadraceException.corruptData(
                    settings.rowsOfAllRanks() + " rows went in, but " + rows + " rows came out");
        }
        lastRun = run;
        return nanos;
    }

    private Figures figures() {
        return ranks.all(BenchRank::figures).stream().reduce(Figures::merge).orElseThrow();
    }

    private double networkBytesPerSecond() {
        bar.begin("measuring UCX", 1);
        List<byte[]> addresses = ranks.all(BenchRank::listen);
        long nanos = ranks.all(rank -> rank.probe(addresses)).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
        ranks.each(BenchRank::hangUp);
        return settings.ranks() * (UcxProbe.BODIES * (double) UcxProbe.BODY_BYTES) / (nanos / NANOS);
    }

    private static long sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
