package dev.headrace.transport.inprocess;

import dev.headrace.transport.PeerId;

/**
 * One connection between two transports of a hub; a new one is made for every reconnect, so old messages are told
 * apart.
 */
final class Line {
    private final InProcessTransport first;
    private final InProcessTransport second;

    Line(InProcessTransport first, InProcessTransport second) {
        this.first = first;
        this.second = second;
    }

    InProcessTransport far(InProcessTransport near) {
        return near == first ? second : first;
    }

    boolean joins(PeerId one, PeerId other) {
        PeerId left = first.self();
        PeerId right = second.self();
        return (left.equals(one) && right.equals(other)) || (left.equals(other) && right.equals(one));
    }

    static String name(PeerId peer) {
        return "rank " + peer.rank() + " (incarnation " + peer.incarnation() + ")";
    }

    boolean touches(InProcessTransport transport) {
        return first == transport || second == transport;
    }
}
