package dev.headrace.transport.inprocess;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What other threads have to say to the owner of one transport; unbounded, any thread puts, the owner takes. */
final class Inbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Event> events = new ArrayDeque<>();
    private boolean woken;
    private boolean closed;

    /** Puts an event; false, and nothing done, once the inbox is closed. */
    boolean put(Event event) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            events.add(event);
            changed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    Event poll() {
        lock.lock();
        try {
            return events.poll();
        } finally {
            lock.unlock();
        }
    }

    void wakeUp() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void await(long timeoutNanos) {
        lock.lock();
        try {
            long left = timeoutNanos;
            while (!woken && !closed && events.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
        } catch (InterruptedException e) {
            // The owner decides what an interrupt means; here it only ends the wait.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** No event is taken from here on; those already there can still be polled. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
