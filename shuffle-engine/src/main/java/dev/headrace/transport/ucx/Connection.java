package dev.headrace.transport.ucx;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one life of one rank: offered while only the accepting side knows its keys, proven when the other
 * side has shown that it has them, too, and down from the moment on that anything is wrong with it. Owner thread only.
 */
final class Connection {
    private final PeerId peer;
    private final UcxEndpoint endpoint;
    private final long localId;
    private final long remoteId;
    private final HeaderSeal outgoing;
    private final HeaderSeal incoming;
    private final ReplayWindow window = new ReplayWindow();
    private @Nullable PeerRegion region;
    private boolean regionReadableByPeer;
    private boolean proven;
    private boolean down;
    private boolean spoke;
    private long lastSequence;
    private long lastHeardNanos;

    /** The keys of the two directions. */
    record Seals(HeaderSeal outgoing, HeaderSeal incoming) {}

    Connection(PeerId peer, UcxEndpoint endpoint, long localId, long remoteId, Seals seals) {
        this.peer = peer;
        this.endpoint = endpoint;
        this.localId = localId;
        this.remoteId = remoteId;
        this.outgoing = seals.outgoing();
        this.incoming = seals.incoming();
    }

    PeerId peer() {
        return peer;
    }

    UcxEndpoint endpoint() {
        return endpoint;
    }

    /** What the peer puts into its envelopes. */
    long localId() {
        return localId;
    }

    /** What the peer wants to read in envelopes. */
    long remoteId() {
        return remoteId;
    }

    HeaderSeal outgoing() {
        return outgoing;
    }

    boolean genuine(byte[] message) {
        return incoming.verify(message);
    }

    ReplayWindow.Verdict judge(long sequence) {
        return window.take(sequence);
    }

    long nextSequence() {
        spoke = true;
        return ++lastSequence;
    }

    /** Whether anything was sent since the last time this was asked. */
    boolean spokeLately() {
        boolean answer = spoke;
        spoke = false;
        return answer;
    }

    void heard(long observedNanos) {
        lastHeardNanos = observedNanos;
    }

    long silentNanos(long observedNanos) {
        return observedNanos - lastHeardNanos;
    }

    boolean proven() {
        return proven;
    }

    void prove(long observedNanos) {
        proven = true;
        lastHeardNanos = observedNanos;
    }

    boolean down() {
        return down;
    }

    void takeDown() {
        down = true;
    }

    /** The peer's memory, if this rank can read it. */
    @Nullable
    PeerRegion region() {
        return region;
    }

    void region(@Nullable PeerRegion opened) {
        region = opened;
    }

    boolean regionReadableByPeer() {
        return regionReadableByPeer;
    }

    void regionIsReadableByPeer() {
        regionReadableByPeer = true;
    }

    HeadraceException lost(String why) {
        return lost(peer, why);
    }

    static HeadraceException lost(PeerId peer, String why) {
        return HeadraceException.peerLost(peer.rank(), "lost " + name(peer) + ": " + why);
    }

    HeadraceException corrupt(String why) {
        return new HeadraceException(
                Category.CORRUPT_DATA,
                Action.REPLACE_RANK,
                peer.rank(),
                "dropped the connection to " + name(peer) + ": " + why);
    }

    static String name(PeerId peer) {
        return "rank " + peer.rank() + " (incarnation " + peer.incarnation() + ")";
    }
}
