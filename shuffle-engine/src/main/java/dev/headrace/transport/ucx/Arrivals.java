package dev.headrace.transport.ucx;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.TransportListener;
import dev.headrace.transport.TransportListener.Landing;
import dev.headrace.transport.ucx.WorkerEvent.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks what came for established connections and brings it to the listener, bodies to where it says. Owner thread
 * only.
 */
final class Arrivals {
    private final Core core;
    private final Connections connections;
    private final SharedBodies sharedBodies;
    private final Map<Operation, Landing> underway = new HashMap<>();
    private @Nullable TransportListener listener;

    /** A body that UCX is bringing. Holds on to the memory that it is brought to. */
    private final class BodyReceive extends Operation {
        private final Connection connection;
        private final Landing landing;
        private final MemorySegment target;

        BodyReceive(Connection connection, Landing landing, MemorySegment target) {
            super(connection.endpoint());
            this.connection = connection;
            this.landing = landing;
            this.target = target;
            underway.put(this, landing);
        }

        @Override
        void finished(@Nullable String error) {
            underway.remove(this);
            if (error == null) {
                core.outcomes().add(_ -> landing.landed());
                return;
            }
            HeadraceException cause = connection.lost("a body could not be received: " + error);
            core.outcomes().add(_ -> landing.failed(cause));
            connections.lose(connection, cause);
        }

        @Override
        public String toString() {
            return "receive into " + target.byteSize() + " bytes";
        }
    }

    Arrivals(Core core, Connections connections, SharedBodies sharedBodies) {
        this.core = core;
        this.connections = connections;
        this.sharedBodies = sharedBodies;
    }

    void start(TransportListener newListener) {
        listener = newListener;
    }

    /** Landings that UCX has not completed. */
    Map<Operation, Landing> underway() {
        return underway;
    }

    void received(WorkerEvent.Received event) {
        byte[] message = event.header().bytes();
        Payload payload = event.payload();
        Envelope envelope;
        try {
            envelope = Envelope.read(message);
        } catch (HeadraceException e) {
            refuse(payload);
            return;
        }
        Connection connection = connections.withLocalId(envelope.connection());
        if (connection == null) {
            // Late news of a connection that is gone, or a stranger's guess.
            refuse(payload);
            return;
        }
        if (!connection.genuine(message)) {
            refuse(payload);
            connections.forged(connection);
            return;
        }
        switch (connection.judge(envelope.sequence())) {
            case FRESH -> accept(connection, envelope, message, payload);
            case REPEATED -> refuse(payload);
            case TOO_OLD -> {
                refuse(payload);
                connections.lose(
                        connection,
                        connection.corrupt("message " + envelope.sequence() + " came more than " + ReplayWindow.SIZE
                                + " messages late"));
            }
        }
    }

    private void accept(Connection connection, Envelope envelope, byte[] message, Payload payload) {
        if (!connection.proven()) {
            connections.take(connection);
        }
        connection.heard(core.clock().observedNanos());
        boolean carriesBody = envelope.kind() == Envelope.Kind.BODY;
        if (carriesBody ? payload.bytes() != envelope.bodyBytes() : payload.bytes() != 0) {
            refuse(payload);
            connections.lose(
                    connection,
                    connection.corrupt("a body of " + payload.bytes() + " bytes came with a header that says "
                            + envelope.bodyBytes()));
            return;
        }
        MemorySegment header =
                MemorySegment.ofArray(message).asSlice(Envelope.BYTES).asReadOnly();
        switch (envelope.kind()) {
            case MESSAGE -> {
                if (isUp(connection)) {
                    listener().onMessage(connection.peer(), header);
                }
            }
            case BODY -> body(connection, envelope, header, payload);
            case SHARED_BODY -> sharedBody(connection, envelope, header);
            case REGION ->
                connections.openRegion(
                        connection,
                        PeerRegion.Location.decode(ByteBuffer.wrap(message, Envelope.BYTES, envelope.headerBytes())
                                .slice()));
            case REGION_READABLE -> connection.regionIsReadableByPeer();
            case READY, HEARTBEAT -> {}
        }
    }

    private void body(Connection connection, Envelope envelope, MemorySegment header, Payload payload) {
        Landing landing = land(connection, envelope, header);
        if (landing == null) {
            core.worker().release(payload);
            return;
        }
        MemorySegment target = targetOf(connection, landing, envelope);
        if (target == null) {
            core.worker().release(payload);
            return;
        }
        switch (payload) {
            case Payload.Here here -> {
                byte[] data = here.data().bytes();
                MemorySegment.copy(data, 0, target, ValueLayout.JAVA_BYTE, 0, data.length);
                landing.landed();
            }
            case Payload.There there ->
                core.worker().receive(there, target, new BodyReceive(connection, landing, target));
        }
    }

    private void sharedBody(Connection connection, Envelope envelope, MemorySegment header) {
        PeerRegion region = connection.region();
        if (region == null || !region.contains(envelope.sharedOffset(), envelope.bodyBytes())) {
            connections.lose(
                    connection,
                    connection.corrupt("a body of " + envelope.bodyBytes() + " bytes at " + envelope.sharedOffset()
                            + " is outside of its memory"));
            return;
        }
        Landing landing = land(connection, envelope, header);
        MemorySegment target = landing == null ? null : targetOf(connection, landing, envelope);
        if (landing != null && target != null) {
            sharedBodies.add(connection, region, envelope, landing, target);
        }
    }

    /** Asks the listener for a place. */
    private @Nullable Landing land(Connection connection, Envelope envelope, MemorySegment header) {
        return isUp(connection) ? listener().onBody(connection.peer(), header, envelope.bodyBytes()) : null;
    }

    /** Where the body goes, or null after the landing was told that it can't. */
    private static @Nullable MemorySegment targetOf(Connection connection, Landing landing, Envelope envelope) {
        MemorySegment target = landing.segment();
        if (connection.down()) {
            landing.failed(connection.lost("it was disconnected"));
            return null;
        }
        if (!target.isNative() || target.byteSize() < envelope.bodyBytes()) {
            landing.failed(new HeadraceException(
                    Category.INTERNAL,
                    Action.FAIL_SHUFFLE,
                    HeadraceException.NO_RANK,
                    "a landing of " + target.byteSize() + " bytes, off the heap: " + target.isNative()
                            + ", does not fit a body of " + envelope.bodyBytes()));
            return null;
        }
        return target;
    }

    /** Tells the listener what comes before, and whether the connection is still wanted after that. */
    private boolean isUp(Connection connection) {
        core.outcomes().deliver(listener());
        return !connection.down();
    }

    private void refuse(Payload payload) {
        core.counts().refusedMessage();
        core.worker().release(payload);
    }

    private TransportListener listener() {
        return Objects.requireNonNull(listener, "the transport was not started");
    }
}
