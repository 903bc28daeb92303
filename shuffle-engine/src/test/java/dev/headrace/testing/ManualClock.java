package dev.headrace.testing;

import dev.headrace.memory.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when a test says so; thread-safe. */
public final class ManualClock implements Clock {
    private final AtomicLong nanos;

    public ManualClock(long startNanos) {
        nanos = new AtomicLong(startNanos);
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }
}
