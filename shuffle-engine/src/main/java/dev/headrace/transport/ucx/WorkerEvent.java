package dev.headrace.transport.ucx;

import org.jspecify.annotations.Nullable;
import org.openucx.jucx.ucp.UcpConnectionRequest;

/** What UCX called back, kept until the owner thread is out of UCX again. */
sealed interface WorkerEvent {

    record Requested(UcpConnectionRequest request) implements WorkerEvent {}

    /** The error is null for success. */
    record Completed(Operation operation, @Nullable String error) implements WorkerEvent {}

    record EndpointFailed(UcxEndpoint endpoint, String error) implements WorkerEvent {}

    /**
     * A message came.
     *
     * @param sealed whether it came as one of an established connection, or else as part of a handshake
     * @param replyTo the id of the endpoint it came through, if it says so, or 0
     */
    record Received(boolean sealed, HeapBytes header, Payload payload, long replyTo) implements WorkerEvent {}

    /** Bytes that were copied out of UCX's memory. */
    @SuppressWarnings("ArrayRecordComponent") // identity is all that anybody compares
    record HeapBytes(byte[] bytes) {}

    /** The body of a message, if any. */
    sealed interface Payload {
        long bytes();

        /** It came whole with its header; empty if there is none. */
        record Here(HeapBytes data) implements Payload {
            @Override
            public long bytes() {
                return data.bytes().length;
            }
        }

        /** It lies with the sender until it is received, or released by its handle. */
        record There(long handle, long bytes) implements Payload {}
    }
}
