package dev.headrace.exchange;

import dev.headrace.memory.Slab;
import dev.headrace.spill.SpillExtent;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A sealed frame on its way to one owner, in memory or on disk; owned by the exchange from {@link Exchange#send} on and
 * held until the owner has acknowledged it and the transport no longer reads it. Progress thread only, but for the
 * moves to and from disk, which happen while the frame is in no queue.
 */
final class OutFrame implements AutoCloseable {
    private final int owner;
    private final long wireId;
    private final long bytes;
    private @Nullable Slab slab;
    private @Nullable SpillExtent extent;
    private final AtomicLong onTheirWay;
    private boolean acknowledged;
    private boolean closed;
    private boolean sent;

    /**
     * Takes over the slab, whose first {@code bytes} are the frame.
     *
     * @param onTheirWay counts the bytes of all frames that are not closed
     */
    OutFrame(int owner, long wireId, Slab slab, long bytes, AtomicLong onTheirWay) {
        this.owner = owner;
        this.wireId = wireId;
        this.onTheirWay = onTheirWay;
        onTheirWay.addAndGet(bytes);
        this.slab = slab;
        this.bytes = bytes;
    }

    int owner() {
        return owner;
    }

    long wireId() {
        return wireId;
    }

    long bytes() {
        return bytes;
    }

    boolean inMemory() {
        return slab != null;
    }

    MemorySegment segment() {
        if (slab == null) {
            throw new IllegalStateException("frame of shuffle " + wireId + " is on disk");
        }
        return slab.segment().asSlice(0, bytes);
    }

    /** The frame was written there; frees its slab. */
    void movedTo(SpillExtent written) {
        extent = written;
        if (slab != null) {
            slab.close();
            slab = null;
        }
    }

    /** Reads the frame back into the given slab, which it takes over. */
    void restoreTo(Slab target) {
        if (extent == null) {
            throw new IllegalStateException("frame of shuffle " + wireId + " is not on disk");
        }
        slab = target;
        extent.read(0, segment());
        extent.close();
        extent = null;
    }

    /** The owner has it; true if nobody needs this frame any more. */
    boolean acknowledge() {
        acknowledged = true;
        return sent;
    }

    /** The transport has read it; true if nobody needs this frame any more. */
    boolean markSent() {
        sent = true;
        return acknowledged;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onTheirWay.addAndGet(-bytes);
        }
        if (slab != null) {
            slab.close();
            slab = null;
        }
        if (extent != null) {
            extent.close();
            extent = null;
        }
    }
}
