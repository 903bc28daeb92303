package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.transport.ucx.WorkerEvent.HeapBytes;
import dev.headrace.transport.ucx.WorkerEvent.Payload;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

/**
 * UCX's engine of one transport: all endpoints live on it and move only when it is progressed. Owner thread only, but
 * for {@link #signal}. Its callbacks run inside of UCX, so they copy, queue an event, and never throw.
 */
final class UcxWorker implements AutoCloseable {
    /** The active message of handshakes. */
    static final int HANDSHAKE = 1;

    /** The active message of established connections. */
    static final int SEALED = 2;

    /** The longest message head that is taken, so that a stranger can't make this rank copy more. */
    static final int MAX_MESSAGE_BYTES = 8 << 10;

    /** Bodies up to here travel with their header, longer ones wait at the sender for a place to land. */
    static final int MAX_EAGER_BYTES = 4 << 10;

    /** Calls of UCX's progress in one call of ours, so that its owner gets to do its own work in a storm. */
    private static final int PROGRESS_ROUNDS = 64;

    @SuppressWarnings("restricted") // UCX speaks in addresses; what they point to is valid during its callback
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final Deque<WorkerEvent> events = new ArrayDeque<>();
    private final Object signalLock = new Object();
    private final UcpWorker handle;
    private final EventWait eventWait;
    private boolean closed;
    private long refusedMessages;
    private @Nullable Throwable callbackFailure;

    UcxWorker(UcxContext context) {
        this.handle = context.handle().newWorker(new UcpWorkerParams());
        this.eventWait = new EventWait(context.ucpLibrary(), handle.getNativeId(), handle.getEventFD());
        handle.setAmRecvHandler(
                HANDSHAKE, (header, bytes, data, reply) -> received(false, header, bytes, data, reply), 0L);
        handle.setAmRecvHandler(SEALED, (header, bytes, data, reply) -> received(true, header, bytes, data, reply), 0L);
    }

    UcxListener listen(InetSocketAddress at) {
        return new UcxListener(handle, at, events);
    }

    UcxEndpoint connect(InetSocketAddress to) {
        return new UcxEndpoint(handle, new UcpEndpointParams().setSocketAddress(to), events);
    }

    UcxEndpoint accept(UcpConnectionRequest request) {
        return new UcxEndpoint(handle, new UcpEndpointParams().setConnectionRequest(request), events);
    }

    /** Lets UCX do what it can; what comes of it is in {@link #poll}. */
    int progress() {
        int done = 0;
        try {
            for (int round = 0; round < PROGRESS_ROUNDS; round++) {
                int count = handle.progress();
                if (count == 0) {
                    break;
                }
                done += count;
            }
        } catch (Exception e) {
            throw HeadraceException.internal("UCX failed to progress", e);
        }
        Throwable failure = callbackFailure;
        if (failure != null) {
            callbackFailure = null;
            throw HeadraceException.internal("a callback of UCX failed", failure);
        }
        return done;
    }

    @Nullable
    WorkerEvent poll() {
        return events.poll();
    }

    boolean hasEvents() {
        return !events.isEmpty();
    }

    /** Has a body brought here; the operation completes when it is in the segment. */
    void receive(Payload.There body, MemorySegment target, Operation operation) {
        try {
            handle.recvAmDataNonBlocking(body.handle(), target.address(), body.bytes(), operation, null);
        } catch (UcxException e) {
            operation.complete(e.getMessage());
        } catch (NullPointerException e) {
            // What jucx 1.19 throws from its native part when the sender was killed just before.
            operation.complete("the sender of the body is gone");
        }
    }

    /** Lets go of a body that nobody wants; its sender is told that it was read. */
    void release(Payload payload) {
        if (payload instanceof Payload.There there) {
            handle.amDataRelease(there.handle());
        }
    }

    void await(long timeoutNanos) {
        eventWait.await(timeoutNanos);
    }

    /** Ends an await that runs or comes next; any thread, also after {@link #close}. */
    void signal() {
        synchronized (signalLock) {
            if (!closed) {
                handle.signal();
            }
        }
    }

    /** Messages that were dropped unread because no rank of ours sends such. */
    long refusedMessages() {
        return refusedMessages;
    }

    @Override
    public void close() {
        synchronized (signalLock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        eventWait.close();
        handle.close();
    }

    private int received(
            boolean sealed, long headerAddress, long headerBytes, UcpAmData data, @Nullable UcpEndpoint reply) {
        try {
            boolean here = data.isDataValid();
            if (headerBytes > MAX_MESSAGE_BYTES || (here && data.getLength() > MAX_EAGER_BYTES)) {
                refusedMessages++;
                return UcsConstants.STATUS.UCS_OK;
            }
            HeapBytes header = copy(headerAddress, headerBytes);
            Payload payload = here
                    ? new Payload.Here(copy(data.getLength() == 0 ? 0 : data.getDataAddress(), data.getLength()))
                    : new Payload.There(data.getDataHandle(), data.getLength());
            events.add(new WorkerEvent.Received(sealed, header, payload, reply == null ? 0 : reply.getNativeId()));
            return here ? UcsConstants.STATUS.UCS_OK : UcsConstants.STATUS.UCS_INPROGRESS;
        } catch (Throwable e) {
            // An exception that goes back into UCX's C code is undefined behaviour.
            callbackFailure = e;
            return UcsConstants.STATUS.UCS_OK;
        }
    }

    private static HeapBytes copy(long address, long bytes) {
        byte[] copy = new byte[(int) bytes];
        MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, address, copy, 0, copy.length);
        return new HeapBytes(copy);
    }
}
