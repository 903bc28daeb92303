package dev.headrace.transport.ucx;

import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.Transport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts messages into envelopes, signs them and hands them to UCX. Owner thread only; its memory is a few pages. */
final class Courier implements AutoCloseable {
    static final MemorySegment NOTHING = MemorySegment.NULL;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment outbound = arena.allocate(Envelope.BYTES + Transport.MAX_HEADER_BYTES, 64);
    private final byte[] draft = new byte[Envelope.BYTES + Transport.MAX_HEADER_BYTES];
    private final ByteBuffer draftBuffer = ByteBuffer.wrap(draft);
    private final Set<BodySend> underway = new HashSet<>();
    private final @Nullable SharedRegion ownRegion;
    private final Outcomes outcomes;
    private final TrafficCounts counts;

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
    void send(
            Connection connection,
            MemorySegment header,
            @Nullable MemorySegment body,
            long token,
            BodySend.Trouble trouble) {
        int headerBytes = (int) header.byteSize();
        MemorySegment.copy(header, ValueLayout.JAVA_BYTE, 0, draft, Envelope.BYTES, headerBytes);
        BodySend send = new BodySend(this, connection, body == null ? NOTHING : body, token, trouble);
        underway.add(send);
        send.begin(envelope(connection, headerBytes, body));
    }

    private Envelope envelope(Connection connection, int headerBytes, @Nullable MemorySegment body) {
        if (body == null) {
            return envelope(connection, Envelope.Kind.MESSAGE, headerBytes, Envelope.NO_BODY, 0, 0);
        }
        long bodyBytes = body.byteSize();
        if (bodyBytes >= SharedBodies.MIN_BYTES
                && ownRegion != null
                && connection.regionReadableByPeer()
                && ownRegion.contains(body)) {
            counts.sharedSlab(bodyBytes);
            long offset = ownRegion.offsetOf(body);
            int sample = SharedBodies.sample(body);
            return envelope(connection, Envelope.Kind.SHARED_BODY, headerBytes, bodyBytes, offset, sample);
        }
        counts.ucx(bodyBytes);
        return envelope(connection, Envelope.Kind.BODY, headerBytes, bodyBytes, 0, 0);
    }

    private static Envelope envelope(
            Connection connection, Envelope.Kind kind, int headerBytes, long bodyBytes, long offset, int sample) {
        return new Envelope(
                kind, headerBytes, connection.remoteId(), connection.nextSequence(), bodyBytes, offset, sample);
    }

    /** Sends something of the transport's own. */
    void send(Connection connection, Envelope.Kind kind, byte[] content) {
        System.arraycopy(content, 0, draft, Envelope.BYTES, content.length);
        Envelope envelope = envelope(connection, kind, content.length, Envelope.NO_BODY, 0, 0);
        post(connection, envelope, NOTHING, new PlainSend(connection.endpoint()));
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

    /** UCX no longer reads anything of this send. */
    void done(BodySend send) {
        if (underway.remove(send)) {
            outcomes.sent(send.token());
        }
    }

    /** Answers what is left when UCX is gone. */
    void handBackAll() {
        List.copyOf(underway).forEach(this::done);
    }

    /** Sends a later part of a body. */
    void postPart(Connection connection, MemorySegment id, long offset, MemorySegment part, Operation operation) {
        MemorySegment.copy(id, ValueLayout.JAVA_BYTE, 0, draft, Envelope.BYTES, Long.BYTES);
        Envelope envelope = envelope(connection, Envelope.Kind.BODY_PART, Long.BYTES, part.byteSize(), offset, 0);
        post(connection, envelope, part, operation);
    }

    /** Sends the envelope, the header that lies in the draft behind it, and a body. */
    void post(Connection connection, Envelope envelope, MemorySegment body, Operation operation) {
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
