package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One message of the engine until UCX is done with it; holds on to the body. A long body goes in parts, a few at a
 * time: UCX sends what is queued for a peer in order, so that a heartbeat would wait for all of a body of gigabytes.
 * Owner thread only.
 */
final class BodySend {
    /** A few milliseconds' worth over tcp. */
    static final long PART_BYTES = 8 << 20;

    private static final int PARTS_UNDERWAY = 2;

    private final Courier courier;
    private final Connection connection;
    private final MemorySegment body;
    private final long token;
    private final Trouble trouble;
    private long id;
    private long sentBytes;
    private int underway;

    /** What to do about a connection that fails. */
    interface Trouble {
        void with(Connection connection, HeadraceException cause);
    }

    private final class Part extends Operation {
        Part() {
            super(connection.endpoint());
            underway++;
        }

        @Override
        void finished(@Nullable String error) {
            underway--;
            if (error != null) {
                trouble.with(connection, connection.lost("a message could not be sent: " + error));
            }
            sendMore();
            if (underway == 0) {
                courier.done(BodySend.this);
            }
        }
    }

    BodySend(Courier courier, Connection connection, MemorySegment body, long token, Trouble trouble) {
        this.courier = courier;
        this.connection = connection;
        this.body = body;
        this.token = token;
        this.trouble = trouble;
    }

    long token() {
        return token;
    }

    /** Sends the envelope with the header that lies in the courier's draft, and as much of the body as fits now. */
    void begin(Envelope envelope) {
        id = envelope.sequence();
        sentBytes = envelope.kind() == Envelope.Kind.BODY ? Math.min(PART_BYTES, body.byteSize()) : body.byteSize();
        MemorySegment first = envelope.kind() == Envelope.Kind.BODY ? body.asSlice(0, sentBytes) : Courier.NOTHING;
        courier.post(connection, envelope, first, new Part());
        sendMore();
    }

    private void sendMore() {
        while (!connection.down() && sentBytes < body.byteSize() && underway < PARTS_UNDERWAY) {
            long length = Math.min(PART_BYTES, body.byteSize() - sentBytes);
            MemorySegment idHeader = MemorySegment.ofArray(new byte[Long.BYTES]);
            idHeader.set(Envelope.PART_ID, 0, id);
            courier.postPart(connection, idHeader, sentBytes, body.asSlice(sentBytes, length), new Part());
            sentBytes += length;
        }
    }
}
