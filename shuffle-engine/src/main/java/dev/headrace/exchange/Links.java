package dev.headrace.exchange;

import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The links of one rank to its peers, and the way to tell a peer something. Progress thread only. */
final class Links {
    private final Transport transport;
    private final MemorySegment header;
    private final Map<Integer, PeerLink> byRank = new HashMap<>();

    /** @param header memory that every message is written into before it is sent */
    Links(Transport transport, MemorySegment header) {
        this.transport = transport;
        this.header = header;
    }

    void put(PeerLink link) {
        byRank.put(link.peer().rank(), link);
    }

    @Nullable
    PeerLink remove(int rank) {
        return byRank.remove(rank);
    }

    @Nullable
    PeerLink of(int rank) {
        return byRank.get(rank);
    }

    /** The link to exactly this life of the rank, or null. */
    @Nullable
    PeerLink of(PeerId peer) {
        PeerLink link = byRank.get(peer.rank());
        return link != null && link.peer().equals(peer) ? link : null;
    }

    List<PeerLink> all() {
        return new ArrayList<>(byRank.values());
    }

    void tell(PeerLink link, Message message) {
        transport.send(link.peer(), message.writeTo(header), null, 0);
    }

    void tell(PeerId peer, Message message) {
        PeerLink link = of(peer);
        if (link != null) {
            tell(link, message);
        }
    }

    void send(PeerLink link, Message.Data data, MemorySegment frame) {
        transport.send(link.peer(), data.writeTo(header), frame, data.sequence());
    }
}
