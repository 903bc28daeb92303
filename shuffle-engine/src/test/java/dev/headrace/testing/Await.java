package dev.headrace.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions instead of sleeping. */
public final class Await {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = 200_000;

    private Await() {}

    /** Returns as soon as the condition holds; fails with its description after 20 seconds. */
    public static void until(String description, BooleanSupplier condition) {
        if (!holds(condition, PATIENCE)) {
            throw new AssertionError("not within " + PATIENCE + ": " + description);
        }
    }

    /** Whether the condition came to hold within the given time. */
    public static boolean holds(BooleanSupplier condition, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return true;
    }
}
