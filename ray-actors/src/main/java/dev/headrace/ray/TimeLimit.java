package dev.headrace.ray;

import dev.headrace.HeadraceException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A moment by which something must have happened, and how long that was when it was set; immutable. */
record TimeLimit(long endNanos, Duration span) {

    static TimeLimit after(Duration span) {
        return new TimeLimit(System.nanoTime() + nanos(span), span);
    }

    long remainingNanos() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    boolean expired() {
        return remainingNanos() == 0;
    }

    /** Waits on a monitor that the caller holds; false, and at once, if the time is over. */
    @SuppressWarnings("WaitNotInLoop")
    boolean await(Object monitor) {
        long nanos = remainingNanos();
        if (nanos == 0) {
            return false;
        }
        try {
            TimeUnit.NANOSECONDS.timedWait(monitor, Math.max(nanos, 1_000_000));
            return true;
        } catch (InterruptedException cause) {
            throw interrupted(cause);
        }
    }

    /** The value of a future; DEADLINE if it does not come in time. */
    <T> T await(CompletableFuture<T> future, String what) {
        try {
            return future.get(remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw HeadraceException.deadline(what + " did not end within " + this);
        } catch (InterruptedException cause) {
            throw interrupted(cause);
        } catch (ExecutionException failed) {
            throw Failures.seenHere(Failures.typed(failed));
        }
    }

    /** Waits for a future whose value and failure nobody needs. */
    void awaitQuietly(CompletableFuture<?> future) {
        try {
            future.get(remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException ignored) {
            // Clean-up goes on without it.
        } catch (InterruptedException cause) {
            Thread.currentThread().interrupt();
        }
    }

    private static HeadraceException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return HeadraceException.internal("interrupted while waiting", cause);
    }

    private static long nanos(Duration span) {
        // Half of the range, so that differences of moments never overflow.
        return span.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0 ? Long.MAX_VALUE / 2 : span.toNanos();
    }

    @Override
    public String toString() {
        return span.toMillis() + " ms";
    }
}
