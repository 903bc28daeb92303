package dev.headrace.transport.inprocess;

import dev.headrace.transport.PeerId;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One transport's end of a connection: asked for until the line is up. Owner thread only. */
final class Link {
    private final PeerId peer;
    private final long deadlineNanos;
    private final Set<Parcel> underway = new LinkedHashSet<>();
    private @Nullable Line line;

    Link(PeerId peer, long deadlineNanos) {
        this.peer = peer;
        this.deadlineNanos = deadlineNanos;
    }

    PeerId peer() {
        return peer;
    }

    @Nullable
    Line line() {
        return line;
    }

    void up(Line line) {
        this.line = line;
    }

    long waitNanos(long nowNanos) {
        return line == null ? Math.max(0, deadlineNanos - nowNanos) : Long.MAX_VALUE;
    }

    /** Parcels that were sent and have not come back. */
    Set<Parcel> underway() {
        return underway;
    }
}
