package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.transport.TransportListener.Landing;
import dev.headrace.transport.ucx.BodySend.Trouble;
import dev.headrace.transport.ucx.WorkerEvent.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings bodies from UCX to their landings, part by part. A landing is answered when all of its body is there, or when
 * it won't be and UCX has let go of its memory. Owner thread only.
 */
final class UcxBodies {
    private final UcxWorker worker;
    private final Outcomes outcomes;
    private final Map<Key, Arriving> arriving = new HashMap<>();

    /** A body by the connection and the sequence number of the message that announced it. */
    private record Key(Connection connection, long id) {}

    private static final class Arriving {
        private final Key key;
        private final Landing landing;
        private final MemorySegment target;
        private final long bodyBytes;
        private long missingBytes;
        private int underway;
        private @Nullable HeadraceException failure;

        Arriving(Key key, Landing landing, MemorySegment target, long bodyBytes) {
            this.key = key;
            this.landing = landing;
            this.target = target;
            this.bodyBytes = bodyBytes;
            this.missingBytes = bodyBytes;
        }
    }

    private final class PartReceive extends Operation {
        private final Arriving body;
        private final long bytes;
        private final Trouble trouble;

        PartReceive(Arriving body, long bytes, Trouble trouble) {
            super(body.key.connection().endpoint());
            this.body = body;
            this.bytes = bytes;
            this.trouble = trouble;
            body.underway++;
        }

        @Override
        void finished(@Nullable String error) {
            body.underway--;
            if (error == null) {
                body.missingBytes -= bytes;
            } else {
                Connection connection = body.key.connection();
                HeadraceException cause = connection.lost("a body could not be received: " + error);
                body.failure = body.failure == null ? cause : body.failure;
                trouble.with(connection, cause);
            }
            settle(body);
        }
    }

    UcxBodies(UcxWorker worker, Outcomes outcomes) {
        this.worker = worker;
        this.outcomes = outcomes;
    }

    /** A body has a place from here on. */
    void begin(Connection connection, Envelope envelope, Landing landing, MemorySegment target) {
        Key key = new Key(connection, envelope.sequence());
        arriving.put(key, new Arriving(key, landing, target, envelope.bodyBytes()));
    }

    /** Takes a part of a body, or drops it if its body has no place. */
    void part(Connection connection, long id, long offset, Payload payload, Trouble trouble) {
        Arriving body = arriving.get(new Key(connection, id));
        if (body == null) {
            worker.release(payload);
            return;
        }
        long bytes = payload.bytes();
        if (offset < 0 || bytes > body.bodyBytes - offset || bytes > body.missingBytes) {
            worker.release(payload);
            trouble.with(
                    connection,
                    connection.corrupt("a part of " + bytes + " bytes at " + offset + " does not fit a body of "
                            + body.bodyBytes));
            return;
        }
        MemorySegment target = body.target.asSlice(offset, bytes);
        switch (payload) {
            case Payload.Here here -> {
                MemorySegment.copy(here.data().bytes(), 0, target, ValueLayout.JAVA_BYTE, 0, (int) bytes);
                body.missingBytes -= bytes;
                settle(body);
            }
            case Payload.There there -> worker.receive(there, target, new PartReceive(body, bytes, trouble));
        }
    }

    /** Gives up the bodies of a connection; those that UCX still writes to are answered when it no longer does. */
    void abandon(Connection connection, HeadraceException cause) {
        for (Arriving body : List.copyOf(arriving.values())) {
            if (body.key.connection() == connection) {
                body.failure = body.failure == null ? cause : body.failure;
                settle(body);
            }
        }
    }

    /** Answers what is left when UCX is gone. */
    void close(HeadraceException cause) {
        for (Arriving body : arriving.values()) {
            HeadraceException failure = body.failure == null ? cause : body.failure;
            outcomes.add(_ -> body.landing.failed(failure));
        }
        arriving.clear();
    }

    private void settle(Arriving body) {
        HeadraceException failure = body.failure;
        if (body.underway > 0 || (failure == null && body.missingBytes > 0)) {
            return;
        }
        arriving.remove(body.key);
        outcomes.add(_ -> {
            if (failure == null) {
                body.landing.landed();
            } else {
                body.landing.failed(failure);
            }
        });
    }
}
