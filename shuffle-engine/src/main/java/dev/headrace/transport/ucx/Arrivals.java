package dev.headrace.transport.ucx;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.TransportListener;
import dev.headrace.transport.TransportListener.Landing;
import dev.headrace.transport.ucx.WorkerEvent.Payload;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
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
    private final UcxBodies ucxBodies;
    private @Nullable TransportListener listener;

    Arrivals(Core core, Connections connections, SharedBodies sharedBodies, UcxBodies ucxBodies) {
        this.core = core;
        this.connections = connections;
        this.sharedBodies = sharedBodies;
        this.ucxBodies = ucxBodies;
    }

    void start(TransportListener newListener) {
        listener = newListener;
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
        long expected = switch (envelope.kind()) {
            case BODY -> Math.min(envelope.bodyBytes(), BodySend.PART_BYTES);
            case BODY_PART -> envelope.bodyBytes();
            default -> 0;
        };
        if (payload.bytes() != expected) {
            refuse(payload);
            connections.lose(
                    connection,
                    connection.corrupt(
                            "a message came with " + payload.bytes() + " bytes of body instead of " + expected));
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
            case BODY_PART -> bodyPart(connection, envelope, header, payload);
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
        ucxBodies.begin(connection, envelope, landing, target);
        ucxBodies.part(connection, envelope.sequence(), 0, payload, connections::lose);
    }

    private void bodyPart(Connection connection, Envelope envelope, MemorySegment header, Payload payload) {
        if (connection.down() || header.byteSize() != Long.BYTES) {
            refuse(payload);
            return;
        }
        long id = header.get(Envelope.PART_ID, 0);
        ucxBodies.part(connection, id, envelope.offset(), payload, connections::lose);
    }

    private void sharedBody(Connection connection, Envelope envelope, MemorySegment header) {
        PeerRegion region = connection.region();
        if (region == null || !region.contains(envelope.offset(), envelope.bodyBytes())) {
            connections.lose(
                    connection,
                    connection.corrupt("a body of " + envelope.bodyBytes() + " bytes at " + envelope.offset()
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
