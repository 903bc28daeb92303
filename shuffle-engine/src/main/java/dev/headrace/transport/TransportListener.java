package dev.headrace.transport;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What a {@link Transport} tells its owner, always on the owner thread, from inside {@link Transport#progress}. */
public interface TransportListener {

    void onConnected(PeerId peer);

    /** A message without a body. The header is valid during the call only. */
    void onMessage(PeerId from, MemorySegment header);

    /**
     * A header whose body is still to come: says where to put the body. The header is valid during the call only.
     *
     * @return where the body goes, at least {@code bodyBytes} long, or null to drop it
     */
    @Nullable
    Landing onBody(PeerId from, MemorySegment header, long bodyBytes);

    /** The body given to {@link Transport#send} with this token is no longer read by the transport. */
    void onSent(long token);

    /** The peer is gone or can't be reached; every landing of it has been told, every token of it handed back. */
    void onPeerLost(PeerId peer, HeadraceException cause);

    /** A place for one body that is on its way; exactly one of the two ends is called. */
    interface Landing {
        MemorySegment segment();

        /** The whole body is in the segment. */
        void landed();

        /** The body will never come whole. */
        void failed(HeadraceException cause);
    }
}
