package dev.headrace.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages between ranks: a small header and, for some, one body. Owned by one thread, the progress thread: it
 * alone calls every method but {@link #address()} and {@link #wakeUp()}. Messages between two live peers arrive once
 * each and unchanged, in any order; a peer that dies is reported once through {@link TransportListener#onPeerLost}.
 */
public interface Transport extends AutoCloseable {

    /** The longest header, in bytes, that {@link #send} takes. */
    int MAX_HEADER_BYTES = 4096;

    /** Where other ranks reach this one; opaque, at most 1 KiB, good as long as the transport is open. */
    byte[] address();

    /** Called once before anything else on the owner thread. */
    void start(TransportListener listener);

    /**
     * Begins to connect; the outcome comes as {@code onConnected} or {@code onPeerLost}. Both ranks call it for each
     * other, in any order. A new incarnation of a rank replaces the old one.
     */
    void connect(PeerId peer, byte[] address);

    /**
     * Sends to a connected peer; never blocks. The header is copied before the call returns. The body is read until
     * {@code onSent(token)} and must not change before; it may be spoken of by reference (a shared slab), so the caller
     * must also keep it until the peer has acknowledged it. A send to a lost peer is dropped after {@code onPeerLost}.
     *
     * @param body what goes with the header, or null; any length
     * @param token handed back in {@code onSent}, also when the peer is lost; 0 for none
     */
    void send(PeerId peer, MemorySegment header, @Nullable MemorySegment body, long token);

    /** Drops the connection to a peer, frees what it held; no {@code onPeerLost} follows. */
    void disconnect(PeerId peer);

    /** Does what can be done without waiting, calls the listener, and returns how many things were done. */
    int progress();

    /** Blocks the owner thread until there may be work, {@link #wakeUp} was called, or the time is over. */
    void await(long timeoutNanos);

    /** Body bytes sent so far, by the way that they took; any thread. */
    default Traffic traffic() {
        return new Traffic(0, 0);
    }

    /**
     * Body bytes by the way that they took.
     *
     * @param sharedSlabBytes sent by reference, for the peer to read from this rank's memory
     * @param networkBytes sent through the network
     */
    record Traffic(long sharedSlabBytes, long networkBytes) {}

    /** Ends an {@link #await} that runs now or comes next; any thread. */
    void wakeUp();

    @Override
    void close();
}
