package dev.headrace.transport.ucx;

import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts messages into envelopes, signs them and hands them to UCX. Owner thread only; its memory is a few pages. */
final class Courier implements AutoCloseable {
    static final MemorySegment NOTHING = MemorySegment.NULL;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment outbound = arena.allocate(Envelope.BYTES + Transport.MAX_HEADER_BYTES, 64);
    private final byte[] draft = new byte[Envelope.BYTES + Transport.MAX_HEADER_BYTES];
    private final ByteBuffer draftBuffer = ByteBuffer.wrap(draft);
    private final Set<Operation> underway = new HashSet<>();
    private final @Nullable SharedRegion ownRegion;
    private final Outcomes outcomes;
    private final TrafficCounts counts;

    /** A send of the engine's, which wants to be told. Holds on to the body. */
    private final class TokenSend extends Operation {
        private final MemorySegment body;
        private final long token;

        TokenSend(UcxEndpoint endpoint, MemorySegment body, long token) {
            super(endpoint);
            this.body = body;
            this.token = token;
            underway.add(this);
        }

        @Override
        void finished(@Nullable String error) {
            // An error also comes by way of the endpoint: here it only means that the body is no longer read.
            underway.remove(this);
            outcomes.sent(token);
        }

        @Override
        public String toString() {
            return "send of " + body.byteSize() + " bytes";
        }
    }

    /** Any other message. */
    private static final class PlainSend extends Operation {
        PlainSend(UcxEndpoint endpoint) {
            super(endpoint);
        }

        @Override
        void finished(@Nullable String error) {
            // the endpoint's own failure tells
        }
    }

    Courier(@Nullable SharedRegion ownRegion, Outcomes outcomes, TrafficCounts counts) {
        this.ownRegion = ownRegion;
        this.outcomes = outcomes;
        this.counts = counts;
    }

    /** Sends for the engine: the body by reference where the peer can read it, or else through UCX. */
    void send(Connection connection, MemorySegment header, @Nullable MemorySegment body, long token) {
        MemorySegment.copy(header, ValueLayout.JAVA_BYTE, 0, draft, Envelope.BYTES, (int) header.byteSize());
        int headerBytes = (int) header.byteSize();
        if (body == null) {
            Operation operation = new TokenSend(connection.endpoint(), NOTHING, token);
            post(connection, Envelope.Kind.MESSAGE, headerBytes, Envelope.NO_BODY, NOTHING, operation);
            return;
        }
        long bodyBytes = body.byteSize();
        Operation operation = new TokenSend(connection.endpoint(), body, token);
        if (bodyBytes >= SharedBodies.MIN_BYTES
                && ownRegion != null
                && connection.regionReadableByPeer()
                && ownRegion.contains(body)) {
            counts.sharedSlab(bodyBytes);
            Envelope envelope = new Envelope(
                    Envelope.Kind.SHARED_BODY,
                    headerBytes,
                    connection.remoteId(),
                    connection.nextSequence(),
                    bodyBytes,
                    ownRegion.offsetOf(body),
                    SharedBodies.sample(body));
            post(connection, envelope, NOTHING, operation);
            return;
        }
        counts.ucx(bodyBytes);
        post(connection, Envelope.Kind.BODY, headerBytes, bodyBytes, body, operation);
    }

    /** Sends something of the transport's own. */
    void send(Connection connection, Envelope.Kind kind, byte[] content) {
        System.arraycopy(content, 0, draft, Envelope.BYTES, content.length);
        Operation operation = new PlainSend(connection.endpoint());
        post(connection, kind, content.length, Envelope.NO_BODY, NOTHING, operation);
    }

    /** Sends a part of a handshake, through which the receiver learns the endpoint. */
    void send(UcxEndpoint endpoint, byte[] handshake) {
        MemorySegment.copy(handshake, 0, outbound, ValueLayout.JAVA_BYTE, 0, handshake.length);
        endpoint.send(
                UcxWorker.HANDSHAKE,
                outbound.asSlice(0, handshake.length),
                NOTHING,
                UcxEndpoint.Mode.EAGER_WITH_REPLY,
                new PlainSend(endpoint));
    }

    /** Sends of the engine that UCX has not completed. */
    Set<Operation> underway() {
        return underway;
    }

    private void post(
            Connection connection,
            Envelope.Kind kind,
            int headerBytes,
            long bodyBytes,
            MemorySegment body,
            Operation operation) {
        long sequence = connection.nextSequence();
        post(
                connection,
                new Envelope(kind, headerBytes, connection.remoteId(), sequence, bodyBytes, -1, 0),
                body,
                operation);
    }

    private void post(Connection connection, Envelope envelope, MemorySegment body, Operation operation) {
        int bytes = Envelope.BYTES + envelope.headerBytes();
        envelope.write(draftBuffer);
        connection.outgoing().sign(draft, bytes);
        MemorySegment.copy(draft, 0, outbound, ValueLayout.JAVA_BYTE, 0, bytes);
        UcxEndpoint.Mode mode =
                body.byteSize() > UcxWorker.MAX_EAGER_BYTES ? UcxEndpoint.Mode.RENDEZVOUS : UcxEndpoint.Mode.EAGER;
        connection.endpoint().send(UcxWorker.SEALED, outbound.asSlice(0, bytes), body, mode, operation);
    }

    @Override
    public void close() {
        arena.close();
    }
}
