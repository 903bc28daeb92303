package dev.headrace.transport.inprocess;

import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Joins the transports of one JVM: knows who listens where, who wants whom, and which lines are up. Thread-safe; holds
 * no memory of its own and needs no closing, the transports do.
 */
public final class Hub {

    /** One transport asked for one peer; a line comes up when the peer has asked too. */
    private record Wish(InProcessTransport who, PeerId whom) {}

    private final Duration connectTimeout;
    private final Map<Long, InProcessTransport> byAddress = new HashMap<>();
    private final Set<Wish> wishes = new HashSet<>();
    private final List<Line> lines = new ArrayList<>();
    private long nextAddress = 1;

    /** A hub whose transports wait this long for a peer that was asked for. */
    public Hub(Duration connectTimeout) {
        this.connectTimeout = connectTimeout;
    }

    /** A new transport for one life of one rank; the caller owns and closes it. */
    public synchronized InProcessTransport transport(PeerId self) {
        long address = nextAddress++;
        InProcessTransport transport = new InProcessTransport(this, self, encode(address), connectTimeout);
        byAddress.put(address, transport);
        return transport;
    }

    /** Cuts the line between two peers, if there is one, as a broken network would: both are told. */
    public synchronized void sever(PeerId one, PeerId other) {
        for (Line line : List.copyOf(lines)) {
            if (line.joins(one, other)) {
                hangUp(line, null, "the line was severed");
            }
        }
    }

    synchronized void ask(InProcessTransport who, PeerId whom, byte[] address) {
        InProcessTransport peer = byAddress.get(decode(address));
        if (peer == null || !peer.self().equals(whom)) {
            // Left to the deadline, as with a network: the address may be that of a rank that is gone.
            return;
        }
        if (!wishes.remove(new Wish(peer, who.self()))) {
            wishes.add(new Wish(who, whom));
            return;
        }
        Line line = new Line(who, peer);
        lines.add(line);
        who.inbox().put(new Event.Connected(line));
        peer.inbox().put(new Event.Connected(line));
    }

    synchronized void withdraw(InProcessTransport who, PeerId whom) {
        wishes.remove(new Wish(who, whom));
    }

    /** Takes a line down and tells the far end, or both when nobody did it. */
    synchronized void hangUp(Line line, @Nullable InProcessTransport by, String why) {
        if (!lines.remove(line)) {
            return;
        }
        for (InProcessTransport transport : byAddress.values()) {
            if (transport != by && line.touches(transport)) {
                PeerId lost = line.far(transport).self();
                transport
                        .inbox()
                        .put(new Event.Down(
                                line, HeadraceException.peerLost(lost.rank(), "lost " + Line.name(lost) + ": " + why)));
            }
        }
    }

    synchronized void leave(InProcessTransport transport) {
        wishes.removeIf(wish -> wish.who() == transport);
        for (Line line : List.copyOf(lines)) {
            if (line.touches(transport)) {
                hangUp(line, transport, "it closed its transport");
            }
        }
        byAddress.values().remove(transport);
    }

    private static byte[] encode(long address) {
        return ByteBuffer.allocate(Long.BYTES).putLong(address).array();
    }

    private static long decode(byte[] address) {
        return address.length == Long.BYTES ? ByteBuffer.wrap(address).getLong() : 0;
    }
}
