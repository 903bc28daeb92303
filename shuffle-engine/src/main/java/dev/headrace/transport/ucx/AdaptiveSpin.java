package dev.headrace.transport.ucx;

/**
 * Decides whether to look for work for some 20 µs before going to sleep. That halves a round trip while messages fly,
 * and is wasted while they don't; on a machine of one core it only keeps the peer from running. Owner thread only.
 */
final class AdaptiveSpin {
    static final long SPIN_NANOS = 20_000;

    private static final int MAX_CREDIT = 16;
    private static final int CREDIT_PER_HIT = 4;

    /** Tries in between, so that a new burst is noticed. */
    private static final int RETRY_EVERY = 32;

    private final boolean possible = Runtime.getRuntime().availableProcessors() > 1;
    private int credit = MAX_CREDIT;
    private int skipped;

    boolean pays() {
        if (!possible) {
            return false;
        }
        if (credit > 0) {
            return true;
        }
        skipped++;
        return skipped % RETRY_EVERY == 0;
    }

    void found(boolean work) {
        credit = work ? Math.min(MAX_CREDIT, credit + CREDIT_PER_HIT) : Math.max(0, credit - 1);
    }
}
