package dev.headrace.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * The figures of one engine, which owns it; thread-safe, and cheap enough for every frame. Times are given in
 * nanoseconds.
 */
public final class Statistics {
    private final Map<Statistic, LongAccumulator> values = new EnumMap<>(Statistic.class);

    public Statistics() {
        for (Statistic statistic : Statistic.values()) {
            // striped like a LongAdder for sums too
            values.put(statistic, new LongAccumulator(statistic.isPeak() ? Math::max : Long::sum, 0));
        }
    }

    /** Adds bytes, nanoseconds or a count to a sum. */
    public void add(Statistic statistic, long value) {
        accumulate(statistic, value, false);
    }

    /** Keeps the value if it is the largest so far. */
    public void max(Statistic statistic, long value) {
        accumulate(statistic, value, true);
    }

    /** The figures as they are now; while others add, no moment in time. */
    public Snapshot snapshot() {
        Map<Statistic, Long> now = new EnumMap<>(Statistic.class);
        values.forEach((statistic, value) -> now.put(statistic, value.get()));
        return new Snapshot(now);
    }

    private void accumulate(Statistic statistic, long value, boolean peak) {
        LongAccumulator accumulator = values.get(statistic);
        if (accumulator == null || statistic.isPeak() != peak) {
            throw new IllegalArgumentException(statistic + " is " + (peak ? "a sum, not a peak" : "a peak, not a sum"));
        }
        accumulator.accumulate(value);
    }
}
