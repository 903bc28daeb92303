package dev.headrace.memory;

import java.time.Duration;

/**
 * A point in monotonic time by which something has to have happened; immutable, any thread.
 *
 * @param atNanos the point, on the clock's own scale
 */
public record Deadline(long atNanos, Clock clock) {

    /** Far enough to be never (146 years), near enough that differences of nanosecond readings don't overflow. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    /** The deadline that lies the given time from now; a negative time has expired at once, a huge one never does. */
    public static Deadline after(Duration timeout, Clock clock) {
        return new Deadline(clock.nanoTime() + nanosOf(timeout), clock);
    }

    /** Nanoseconds left, 0 when there are none. */
    public long remainingNanos() {
        return Math.max(0, atNanos - clock.nanoTime());
    }

    public boolean expired() {
        return atNanos - clock.nanoTime() <= 0;
    }

    static long nanosOf(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return timeout.compareTo(Duration.ofNanos(LONGEST_NANOS)) >= 0 ? LONGEST_NANOS : timeout.toNanos();
    }
}
