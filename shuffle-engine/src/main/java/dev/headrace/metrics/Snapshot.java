package dev.headrace.metrics;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The figures of one or more ranks at some time; immutable.
 *
 * @param values raw: bytes, nanoseconds, counts; what is missing counts as 0
 */
public record Snapshot(Map<Statistic, Long> values) {
    private static final double NANOS = 1e9;

    public Snapshot {
        Map<Statistic, Long> copy = new EnumMap<>(Statistic.class);
        copy.putAll(values);
        values = Collections.unmodifiableMap(copy);
    }

    /** The raw value: bytes, nanoseconds or a count. */
    public long value(Statistic statistic) {
        return values.getOrDefault(statistic, 0L);
    }

    /** The same with another value of one statistic, which somebody else counts. */
    public Snapshot with(Statistic statistic, long value) {
        Map<Statistic, Long> changed = new EnumMap<>(Statistic.class);
        changed.putAll(values);
        changed.put(statistic, value);
        return new Snapshot(changed);
    }

    /** Both together: sums are added, of peaks the larger stays. */
    public Snapshot merge(Snapshot other) {
        Map<Statistic, Long> merged = new EnumMap<>(Statistic.class);
        for (Statistic statistic : Statistic.values()) {
            long mine = value(statistic);
            long theirs = other.value(statistic);
            merged.put(statistic, statistic.isPeak() ? Math.max(mine, theirs) : mine + theirs);
        }
        return new Snapshot(merged);
    }

    /** What was added since the earlier snapshot; peaks are those of all time. */
    public Snapshot since(Snapshot earlier) {
        Map<Statistic, Long> added = new EnumMap<>(Statistic.class);
        for (Statistic statistic : Statistic.values()) {
            added.put(statistic, value(statistic) - (statistic.isPeak() ? 0 : earlier.value(statistic)));
        }
        return new Snapshot(added);
    }

    /** One object that maps every statistic's name to bytes, seconds (as a fraction) or a count. */
    public String toJson() {
        StringJoiner json = new StringJoiner(", ", "{", "}");
        for (Statistic statistic : Statistic.values()) {
            long value = value(statistic);
            String number = statistic.unit() == Statistic.Unit.SECONDS ? "" + value / NANOS : "" + value;
            json.add('"' + statistic.statisticName() + "\": " + number);
        }
        return json.toString();
    }

    /** One aligned line per statistic: name, value with its unit, meaning. */
    public String toText() {
        int widest = 0;
        for (Statistic statistic : Statistic.values()) {
            widest = Math.max(widest, statistic.statisticName().length());
        }
        StringBuilder text = new StringBuilder();
        for (Statistic statistic : Statistic.values()) {
            String line = String.format(
                    Locale.ROOT,
                    "%-" + widest + "s  %16s  %s%n",
                    statistic.statisticName(),
                    shown(statistic.unit(), value(statistic)),
                    statistic.meaning());
            text.append(line);
        }
        return text.toString();
    }

    private static String shown(Statistic.Unit unit, long value) {
        return switch (unit) {
            case COUNT -> String.format(Locale.ROOT, "%,d", value);
            case SECONDS -> String.format(Locale.ROOT, "%.3f s", value / NANOS);
            case BYTES -> shownBytes(value);
        };
    }

    private static String shownBytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < units.length - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.2f %s", amount, units[unit]);
    }
}
