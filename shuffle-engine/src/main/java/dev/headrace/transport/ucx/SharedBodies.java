package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.transport.TransportListener.Landing;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Copies bodies out of the memory of peers on this node, a bounded number of bytes at a time, in turn for all that are
 * waiting, so that a body of gigabytes holds up neither UCX nor the others. Owner thread only.
 */
final class SharedBodies {
    /** Bodies below this go through UCX with their header, which is quicker than a system call and a second message. */
    static final long MIN_BYTES = 4 << 10;

    /** One system call's worth: about 100 µs. */
    private static final long STEP_BYTES = 1 << 20;

    /** What one call copies at most: well under a millisecond. */
    private static final long BUDGET_BYTES = 4 << 20;

    private static final long SAMPLE_BYTES = 256;

    private final Deque<Copy> copies = new ArrayDeque<>();
    private final Outcomes outcomes;

    /** One body on its way. */
    private static final class Copy {
        private final Connection connection;
        private final PeerRegion region;
        private final Envelope envelope;
        private final Landing landing;
        private final MemorySegment target;
        private long done;

        Copy(Connection connection, PeerRegion region, Envelope envelope, Landing landing, MemorySegment target) {
            this.connection = connection;
            this.region = region;
            this.envelope = envelope;
            this.landing = landing;
            this.target = target;
        }

        long left() {
            return envelope.bodyBytes() - done;
        }
    }

    SharedBodies(Outcomes outcomes) {
        this.outcomes = outcomes;
    }

    /** The check that a sender puts into the envelope, to be compared with what the receiver has read. */
    static int sample(MemorySegment body) {
        CRC32C crc = new CRC32C();
        crc.update(body.asSlice(0, Math.min(SAMPLE_BYTES, body.byteSize())).asByteBuffer());
        return (int) crc.getValue();
    }

    void add(Connection connection, PeerRegion region, Envelope envelope, Landing landing, MemorySegment target) {
        copies.add(new Copy(connection, region, envelope, landing, target));
    }

    boolean isEmpty() {
        return copies.isEmpty();
    }

    /** Copies for a while; returns how many bodies came to their end. */
    int step(BodySend.Trouble trouble) {
        int ended = 0;
        long budget = BUDGET_BYTES;
        while (budget > 0) {
            Copy copy = copies.poll();
            if (copy == null) {
                break;
            }
            long length = Math.min(STEP_BYTES, copy.left());
            budget -= Math.max(length, MIN_BYTES);
            HeadraceException damage = advance(copy, length);
            if (damage != null) {
                outcomes.add(_ -> copy.landing.failed(damage));
                trouble.with(copy.connection, damage);
            } else if (copy.left() == 0) {
                outcomes.add(_ -> copy.landing.landed());
            } else {
                copies.add(copy);
                continue;
            }
            ended++;
        }
        return ended;
    }

    /** Gives up all that is still to be read of a connection. */
    void abandon(Connection connection, HeadraceException cause) {
        List<Copy> kept = new ArrayList<>();
        for (Copy copy : copies) {
            if (copy.connection == connection) {
                outcomes.add(_ -> copy.landing.failed(cause));
            } else {
                kept.add(copy);
            }
        }
        copies.clear();
        copies.addAll(kept);
    }

    private static @Nullable HeadraceException advance(Copy copy, long length) {
        try {
            copy.region.read(copy.envelope.offset() + copy.done, copy.target.asSlice(copy.done, length));
        } catch (IOException e) {
            return copy.connection.lost("its memory can't be read: " + e.getMessage());
        }
        copy.done += length;
        // A peer that has given this rank up uses its memory again; its next header is another one.
        if (copy.left() == 0 && sample(copy.target.asSlice(0, copy.envelope.bodyBytes())) != copy.envelope.sample()) {
            return copy.connection.corrupt("a body in its memory is not the one that was announced");
        }
        return null;
    }
}
