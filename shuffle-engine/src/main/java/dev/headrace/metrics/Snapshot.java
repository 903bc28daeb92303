package dev.headrace.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The statistics at one moment; immutable.
 *
 * @param values by statistic: counts, bytes or nanoseconds
 */
public record Snapshot(Map<Statistic, Long> values) {
    private static final double NANOS_PER_SECOND = 1e9;

    public Snapshot {
        values = Map.copyOf(values);
    }

    /** One JSON object: names to counts, bytes or seconds. */
    public String toJson() {
        return ordered().entrySet().stream()
                .map(entry -> "\"" + entry.getKey().statisticName() + "\": " + number(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /** A table for people. */
    public String toText() {
        return ordered().entrySet().stream()
                .map(entry -> "%-24s %18s %s"
                        .formatted(
                                entry.getKey().statisticName(),
                                number(entry.getKey(), entry.getValue()),
                                entry.getKey().unit()))
                .collect(Collectors.joining("\n"));
    }

    /** Both ranks' values together: sums, and the larger of two peaks. */
    public Snapshot merge(Snapshot other) {
        Map<Statistic, Long> merged = new EnumMap<>(Statistic.class);
        merged.putAll(values);
        other.values.forEach((statistic, value) -> merged.merge(
                statistic, value, statistic.unit() == Statistic.Unit.BYTES_PEAK ? Math::max : Long::sum));
        return new Snapshot(merged);
    }

    private Map<Statistic, Long> ordered() {
        return new EnumMap<>(values);
    }

    private static String number(Statistic statistic, long value) {
        return statistic.unit() == Statistic.Unit.SECONDS
                ? String.format(Locale.ROOT, "%.6f", value / NANOS_PER_SECOND)
                : Long.toString(value);
    }
}
