package dev.headrace.bench;

import dev.headrace.memory.MemoryProfile.Place;
import dev.headrace.memory.SlabPool.Use;
import dev.headrace.metrics.Snapshot;
import dev.headrace.metrics.Statistic;
import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What engines have counted: their statistics, and their memory by use. Immutable; travels between processes as text.
 */
record Figures(Snapshot statistics, Map<Use, Place> memory) {

    /** The figures of two ranks together. */
    Figures merge(Figures other) {
        Map<Use, Place> both = new EnumMap<>(memory);
        other.memory.forEach((use, place) -> both.merge(use, place, Place::plus));
        return new Figures(statistics.merge(other.statistics), both);
    }

    /** The same memory, and what the statistics have gained since then. */
    Figures since(Figures earlier) {
        return new Figures(statistics.since(earlier.statistics), memory);
    }

    /** One line that {@link #parse} reads. */
    String format() {
        StringJoiner words = new StringJoiner(" ");
        statistics.values().forEach((statistic, value) -> words.add(statistic.name() + "=" + value));
        memory.forEach((use, place) -> words.add(use.name() + "=" + place.calls() + "," + place.peakBytes() + ","
                + place.accumulatedBytes() + "," + place.maxBytes()));
        return words.toString();
    }

    static Figures parse(String line) {
        Map<Statistic, Long> statistics = new EnumMap<>(Statistic.class);
        Map<Use, Place> memory = new EnumMap<>(Use.class);
        for (String word : line.split(" ", -1)) {
            int equals = word.indexOf('=');
            String name = word.substring(0, equals);
            String[] values = word.substring(equals + 1).split(",", -1);
            if (values.length == 1) {
                statistics.put(Statistic.valueOf(name), Long.parseLong(values[0]));
            } else {
                memory.put(
                        Use.valueOf(name),
                        new Place(
                                Long.parseLong(values[0]),
                                Long.parseLong(values[1]),
                                Long.parseLong(values[2]),
                                Long.parseLong(values[3])));
            }
        }
        return new Figures(new Snapshot(statistics), memory);
    }
}
