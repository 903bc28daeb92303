package dev.headrace.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;

/** The counters of one rank; thread-safe, without locks. */
public final class Statistics {
    private final EnumMap<Statistic, LongAccumulator> values = new EnumMap<>(Statistic.class);

    public Statistics() {
        for (Statistic statistic : Statistic.values()) {
            boolean isPeak = statistic.unit() == Statistic.Unit.BYTES_PEAK;
            values.put(statistic, new LongAccumulator(isPeak ? Math::max : Long::sum, 0));
        }
    }

    /** Adds to a sum, or raises a peak. Times are given in nanoseconds. */
    public void add(Statistic statistic, long value) {
        counter(statistic).accumulate(value);
    }

    private LongAccumulator counter(Statistic statistic) {
        LongAccumulator counter = values.get(statistic);
        if (counter == null) {
            throw new IllegalStateException("no counter for " + statistic);
        }
        return counter;
    }

    public Snapshot snapshot() {
        Map<Statistic, Long> copy = new EnumMap<>(Statistic.class);
        values.forEach((statistic, counter) -> copy.put(statistic, counter.get()));
        return new Snapshot(copy);
    }
}
