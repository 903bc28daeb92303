package dev.headrace.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a {@link SlabPool}'s region. It has a single owner at a time, who may hand it on, to another thread too;
 * the last owner closes it, once. What it holds when it is acquired is left over from the owner before.
 */
public final class Slab implements AutoCloseable {
    private final SlabPool pool;
    private final SlabPool.Use use;
    private final int from;
    private final int slots;
    private final long bytes;
    private final long capacityBytes;
    private final Reservation reservation;
    private final @Nullable Origin origin;
    private volatile @Nullable MemorySegment segment;

    @SuppressWarnings({"restricted", "MustBeClosedChecker"}) // gives the memory a lifetime of its own, and nothing more
    Slab(
            SlabPool pool,
            SlabPool.Use use,
            int from,
            int slots,
            MemorySegment memory,
            long bytes,
            Reservation reservation) {
        this.pool = pool;
        this.use = use;
        this.from = from;
        this.slots = slots;
        this.bytes = bytes;
        this.capacityBytes = memory.byteSize();
        this.reservation = reservation;
        MemorySegment asked = memory.asSlice(0, bytes);
        this.origin = pool.debug() ? new Origin(Arena.ofShared()) : null;
        this.segment = origin == null ? asked : asked.reinterpret(origin.lifetime, null);
    }

    /**
     * The memory, exactly {@link #bytes()} long. It must not be used after the slab is closed, since it is somebody
     * else's then.
     */
    public MemorySegment segment() {
        MemorySegment current = segment;
        if (current == null) {
            throw new IllegalStateException("closed: " + this);
        }
        return current;
    }

    /** The bytes that were asked for. */
    public long bytes() {
        return bytes;
    }

    /** The bytes that the slab takes from the pool: a multiple of the pool's slab size. */
    public long capacityBytes() {
        return capacityBytes;
    }

    /** What it was acquired for. */
    public SlabPool.Use use() {
        return use;
    }

    /** Gives the memory back; a second call is a fault of the caller and throws {@link IllegalStateException}. */
    @Override
    public void close() {
        pool.release(this);
    }

    @Override
    public String toString() {
        return "slab " + from + (slots == 1 ? "" : ".." + (from + slots - 1)) + " of " + bytes + " bytes for " + use;
    }

    int from() {
        return from;
    }

    int slots() {
        return slots;
    }

    /** Called once, under the pool's lock. */
    void markClosed() {
        if (segment == null) {
            throw new IllegalStateException("closed twice: " + this);
        }
        if (origin != null) {
            origin.lifetime.close();
        }
        segment = null;
        reservation.close();
    }

    /** One line, and the stack of the acquiring thread where it is known. */
    String describe() {
        if (origin == null) {
            return this + " (set -D" + LeakTracker.DEBUG + "=true to see where it was acquired)";
        }
        StringBuilder text =
                new StringBuilder(toString()).append(", acquired by ").append(origin.getMessage());
        for (StackTraceElement element : origin.getStackTrace()) {
            text.append("\n    at ").append(element);
        }
        return text.toString();
    }

    /** Where a slab was acquired, and the lifetime of the memory given out for it. */
    private static final class Origin extends Throwable {
        private static final long serialVersionUID = 1L;

        private final transient Arena lifetime;

        Origin(Arena lifetime) {
            super(Thread.currentThread().getName());
            this.lifetime = lifetime;
        }
    }
}
