package dev.headrace.memory;

import dev.headrace.memory.SlabPool.Use;
import java.util.EnumMap;
import java.util.Map;

/** How often and how much memory of one pool was taken, by use, since the pool was made; thread-safe. */
public final class MemoryProfile {

    /**
     * What one use took.
     *
     * @param calls how often memory was taken
     * @param peakBytes the most that it had at a time
     * @param accumulatedBytes all that it took, summed up
     * @param maxBytes the most that it took at once
     */
    public record Place(long calls, long peakBytes, long accumulatedBytes, long maxBytes) {
        static final Place UNUSED = new Place(0, 0, 0, 0);

        /** Two pools, or two processes, together: the peaks need not have been at the same time. */
        public Place plus(Place other) {
            return new Place(
                    calls + other.calls,
                    peakBytes + other.peakBytes,
                    accumulatedBytes + other.accumulatedBytes,
                    Math.max(maxBytes, other.maxBytes));
        }
    }

    private final Map<Use, Place> places = new EnumMap<>(Use.class);
    private final Map<Use, Long> usedBytes = new EnumMap<>(Use.class);

    MemoryProfile() {
        for (Use use : Use.values()) {
            places.put(use, Place.UNUSED);
            usedBytes.put(use, 0L);
        }
    }

    synchronized void taken(Use use, long bytes) {
        long used = usedBytes.merge(use, bytes, Long::sum);
        places.merge(use, new Place(1, used, bytes, bytes), MemoryProfile::later);
    }

    synchronized void given(Use use, long bytes) {
        usedBytes.merge(use, -bytes, Long::sum);
    }

    /** The figures as they are now, for every use. */
    public synchronized Map<Use, Place> places() {
        return new EnumMap<>(places);
    }

    private static Place later(Place before, Place now) {
        return new Place(
                before.calls + now.calls,
                Math.max(before.peakBytes, now.peakBytes),
                before.accumulatedBytes + now.accumulatedBytes,
                Math.max(before.maxBytes, now.maxBytes));
    }
}
