package dev.headrace.memory;

import java.util.Comparator;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A thread that waits for memory; guarded by the pool's lock. */
final class Waiter {
    /** Who is served first: the higher use, then who came first. */
    static final Comparator<Waiter> ORDER = Comparator.<Waiter, SlabPool.Use>comparing(
                    waiter -> waiter.use, Comparator.reverseOrder())
            .thenComparingLong(waiter -> waiter.ticket);

    final SlabPool.Use use;
    final int slots;
    final long bytes;
    final Condition served;
    private final long ticket;
    /** For a run: the slots that it has chosen to wait for. */
    @Nullable
    Window window;
    /** Set when the wait is over. */
    @Nullable
    Slab slab;

    Waiter(SlabPool.Use use, int slots, long bytes, Condition served, long ticket) {
        this.use = use;
        this.slots = slots;
        this.bytes = bytes;
        this.served = served;
        this.ticket = ticket;
    }
}
