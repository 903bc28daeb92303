package dev.headrace.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How far the benchmark is, in the last line of a terminal; nothing where the errors don't go to one. Any thread may
 * step; a thread of its own draws, ten times a second.
 */
final class ProgressBar implements AutoCloseable {
    private static final int WIDTH = 40;
    private static final Duration PERIOD = Duration.ofMillis(100);

    private final PrintStream terminal;
    private final LongAdder done = new LongAdder();
    private final ScheduledExecutorService drawer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("bench-progress").daemon().factory());
    private volatile String stage = "";
    private volatile long total = 1;

    private ProgressBar(PrintStream terminal) {
        this.terminal = terminal;
    }

    /** A bar on the standard error stream. */
    static ProgressBar onTerminal() {
        ProgressBar bar = new ProgressBar(System.err);
        if (isTerminal()) {
            long period = PERIOD.toMillis();
            var _ = bar.drawer.scheduleAtFixedRate(bar::draw, period, period, TimeUnit.MILLISECONDS);
        }
        return bar;
    }

    private static boolean isTerminal() {
        try {
            return Path.of("/proc/self/fd/2").toRealPath().startsWith("/dev/pts");
        } catch (IOException e) {
            return false;
        }
    }

    /** Begins anew with so many steps. */
    void begin(String newStage, long steps) {
        stage = newStage;
        total = Math.max(1, steps);
        done.reset();
    }

    void step() {
        done.increment();
    }

    private void draw() {
        terminal.print(line());
        terminal.flush();
    }

    String line() {
        double share = Math.min(1, done.sum() / (double) total);
        int full = (int) (share * WIDTH);
        return String.format(
                Locale.ROOT, "\r%-16s [%s%s] %3.0f %%", stage, "=".repeat(full), " ".repeat(WIDTH - full), share * 100);
    }

    @Override
    public void close() {
        drawer.shutdownNow();
        drawer.close();
        if (isTerminal()) {
            terminal.print("\r\033[K");
            terminal.flush();
        }
    }
}
