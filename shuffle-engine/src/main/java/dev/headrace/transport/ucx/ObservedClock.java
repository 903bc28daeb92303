package dev.headrace.transport.ucx;

import java.util.function.LongSupplier;

/**
 * The time that this rank was awake to see: a pause of its own counts as one heartbeat, however long it was. Silence of
 * others is measured in it, so that a rank that was stopped does not wake up to declare everybody dead. Owner thread
 * only.
 */
final class ObservedClock {
    private final LongSupplier nanoTime;
    private final long longestStepNanos;
    private long lastNanos;
    private long observedNanos;

    ObservedClock(LongSupplier nanoTime, long longestStepNanos) {
        this.nanoTime = nanoTime;
        this.longestStepNanos = longestStepNanos;
        this.lastNanos = nanoTime.getAsLong();
    }

    /** Looks at the clock; called at least once for every heartbeat. */
    void look() {
        long now = nanoTime.getAsLong();
        observedNanos += Math.min(now - lastNanos, longestStepNanos);
        lastNanos = now;
    }

    /** The time awake, at the last look. */
    long observedNanos() {
        return observedNanos;
    }

    /** The time of the system, at the last look. */
    long nowNanos() {
        return lastNanos;
    }
}
