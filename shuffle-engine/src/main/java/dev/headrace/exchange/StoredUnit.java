package dev.headrace.exchange;

/**
 * Memory or disk space that holds blocks of several partitions: one slab or one extent. It is freed when no partition
 * needs it any more (or it was moved elsewhere) and nobody reads it. Guarded by the lock of its inbox, but for the
 * bytes themselves, which a reader that holds a lease may read without the lock.
 */
public final class StoredUnit {
    private final AutoCloseable store;
    private long needed;
    private int leases;
    private boolean freed;

    /** Takes over the slab or extent; it is needed by that many rows. */
    StoredUnit(AutoCloseable store, long needed) {
        this.store = store;
        this.needed = needed;
    }

    void lease() {
        if (freed) {
            throw new IllegalStateException("lease on a unit that was freed");
        }
        leases++;
    }

    void endLease() {
        leases--;
        freeIfDone();
    }

    boolean isLeased() {
        return leases > 0;
    }

    boolean isNeeded() {
        return needed > 0;
    }

    void need(long rows) {
        needed += rows;
    }

    /** That many rows are not needed any more. */
    void drop(long rows) {
        needed -= rows;
        freeIfDone();
    }

    /** Nothing in it is needed any more. */
    void dropAll() {
        needed = 0;
        freeIfDone();
    }

    private void freeIfDone() {
        if (needed <= 0 && leases == 0 && !freed) {
            freed = true;
            try {
                store.close();
            } catch (Exception e) {
                throw new IllegalStateException("can't free a unit", e);
            }
        }
    }
}
