package dev.headrace.memory;

/** Monotonic time in nanoseconds from an arbitrary origin; any thread. A seam, so that tests need not wait. */
@FunctionalInterface
public interface Clock {

    long nanoTime();

    /** The clock of this process, {@link System#nanoTime()}. */
    static Clock system() {
        return System::nanoTime;
    }
}
