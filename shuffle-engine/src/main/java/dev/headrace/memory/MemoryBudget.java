package dev.headrace.memory;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes reserved in one tier and never lets them pass its limit; thread-safe and lock-free. One per tier and
 * engine, owned by the engine. It holds no memory itself: reserve here first, then allocate.
 */
public final class MemoryBudget {
    private final MemoryTier tier;
    private final long limitBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicLong peakBytes = new AtomicLong();

    public MemoryBudget(MemoryTier tier, long limitBytes) {
        if (limitBytes < 0) {
            throw new IllegalArgumentException("limit of the " + tier + " tier is negative: " + limitBytes);
        }
        this.tier = tier;
        this.limitBytes = limitBytes;
    }

    /** Reserves bytes for the caller, who owns and closes the reservation, or returns null if the limit forbids it. */
    public @Nullable Reservation tryReserve(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes to reserve are negative: " + bytes);
        }
        long used = usedBytes.get();
        while (bytes <= limitBytes - used) {
            long witness = usedBytes.compareAndExchange(used, used + bytes);
            if (witness == used) {
                peakBytes.accumulateAndGet(used + bytes, Math::max);
                return new Reservation(this, bytes);
            }
            used = witness;
        }
        return null;
    }

    public MemoryTier tier() {
        return tier;
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** Bytes reserved now. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** The most bytes that were ever reserved at the same time. */
    public long peakBytes() {
        return peakBytes.get();
    }

    void giveBack(long bytes) {
        usedBytes.addAndGet(-bytes);
    }
}
