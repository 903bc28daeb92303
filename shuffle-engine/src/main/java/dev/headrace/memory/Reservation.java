package dev.headrace.memory;

/**
 * The right to hold a number of bytes of one tier. Has a single owner, who closes it when the bytes are free again; it
 * may be handed to another thread but is not safe for two at once. Closing gives back what is left of it, so closing
 * again gives back nothing.
 */
public final class Reservation implements AutoCloseable {
    private final MemoryBudget budget;
    private long bytes;

    Reservation(MemoryBudget budget, long bytes) {
        this.budget = budget;
        this.bytes = bytes;
    }

    public long bytes() {
        return bytes;
    }

    /** Moves the given bytes of this reservation into a new one, for another owner; the sum stays the same. */
    public Reservation split(long bytes) {
        if (bytes < 0 || bytes > this.bytes) {
            throw new IllegalArgumentException("can't split " + bytes + " bytes off a reservation of " + this.bytes);
        }
        this.bytes -= bytes;
        return new Reservation(budget, bytes);
    }

    @Override
    public void close() {
        long left = bytes;
        bytes = 0;
        budget.giveBack(left);
    }
}
