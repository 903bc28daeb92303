package dev.headrace.transport.ucx;

import java.lang.foreign.MemorySegment;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;

/**
 * UCX's end of one connection. Made by {@link UcxWorker}; whoever uses it closes it and then keeps it reachable until
 * it is {@link #gone}, because UCX refers to it only weakly.
 */
final class UcxEndpoint {
    /** What an endpoint serves at the moment: a handshake, then a connection. */
    interface User {
        void endpointFailed(UcxEndpoint endpoint, String error);
    }

    /** UCX's flag for "the header may change when the call returns", which jucx passes on but does not name. */
    private static final long COPY_HEADER = 1L << 3;

    private final Deque<WorkerEvent> events;
    private final UcpEndpoint handle;
    private final long id;
    private @Nullable User user;
    private @Nullable UcpRequest closing;
    private boolean closed;
    private boolean failed;
    private int inFlight;

    UcxEndpoint(UcpWorker worker, UcpEndpointParams params, Deque<WorkerEvent> events) {
        this.events = events;
        this.handle =
                worker.newEndpoint(params.setPeerErrorHandlingMode().setErrorHandler((endpoint, status, message) -> {
                    failed = true;
                    events.add(new WorkerEvent.EndpointFailed(this, message + " (UCX status " + status + ")"));
                }));
        this.id = handle.getNativeId();
    }

    long id() {
        return id;
    }

    void serve(@Nullable User newUser) {
        user = newUser;
    }

    @Nullable
    User user() {
        return user;
    }

    /** What a message needs of UCX beyond the bytes. */
    enum Mode {
        /** Small and sent at once. */
        EAGER(UcpConstants.UCP_AM_SEND_FLAG_EAGER),
        /** Small, and the receiver is told the endpoint. */
        EAGER_WITH_REPLY(UcpConstants.UCP_AM_SEND_FLAG_EAGER | UcpConstants.UCP_AM_SEND_FLAG_REPLY),
        /** The body stays here until the receiver has a place for it. */
        RENDEZVOUS(UcpConstants.UCP_AM_SEND_FLAG_RNDV);

        private final long flags;

        Mode(long flags) {
            this.flags = flags | COPY_HEADER;
        }
    }

    /** Sends, and completes the operation when the body is no longer read; the header is copied. */
    void send(int amId, MemorySegment header, MemorySegment body, Mode mode, Operation operation) {
        if (failed || closed) {
            operation.complete("the connection is down");
            return;
        }
        long bodyAddress = body.byteSize() == 0 ? 0 : body.address();
        try {
            handle.sendAmNonBlocking(
                    amId, header.address(), header.byteSize(), bodyAddress, body.byteSize(), mode.flags, operation);
        } catch (UcxException e) {
            operation.complete(e.getMessage());
        }
    }

    /** Gives the connection up at once; whatever is in flight completes with an error. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            closing = handle.closeNonBlockingForce();
        } catch (UcxException e) {
            closing = null;
        }
    }

    /** Closed, and nothing of it is in flight any more. */
    boolean gone() {
        return closed && inFlight == 0 && (closing == null || closing.isCompleted());
    }

    int inFlight() {
        return inFlight;
    }

    Deque<WorkerEvent> begin() {
        inFlight++;
        return events;
    }

    void end() {
        inFlight--;
    }
}
