package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.PeerId;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections that stand, by rank and by the id in their envelopes: begins, keeps alive and ends them. Owner thread
 * only.
 */
final class Connections {
    private static final byte[] NO_CONTENT = new byte[0];

    private final Map<Long, Connection> byLocalId = new HashMap<>();
    private final Map<Integer, Connection> byRank = new HashMap<>();
    private final Map<Connection, Offer> offers = new HashMap<>();
    private final Core core;
    private final SharedBodies sharedBodies;
    private final UcxBodies ucxBodies;
    private final Duration peerTimeout;
    private final long heartbeatNanos;
    private final PeerRegion.@Nullable Location ownRegion;
    private long nextTickNanos;

    /** A connection whose other side has still to show that it has the keys. */
    interface Offer {
        void taken();

        void forged();
    }

    Connections(
            UcxSettings settings,
            @Nullable SharedRegion region,
            Core core,
            SharedBodies sharedBodies,
            UcxBodies ucxBodies) {
        this.core = core;
        this.sharedBodies = sharedBodies;
        this.ucxBodies = ucxBodies;
        this.peerTimeout = settings.peerTimeout();
        this.heartbeatNanos = settings.heartbeat().toNanos();
        this.ownRegion = region == null || !settings.sharedSlabs() ? null : PeerRegion.Location.of(region);
        this.nextTickNanos = core.clock().nowNanos() + heartbeatNanos;
    }

    @Nullable
    Connection to(PeerId peer) {
        Connection found = byRank.get(peer.rank());
        return found != null && found.peer().equals(peer) ? found : null;
    }

    @Nullable
    Connection toRank(int rank) {
        return byRank.get(rank);
    }

    @Nullable
    Connection withLocalId(long id) {
        return byLocalId.get(id);
    }

    void offer(Connection connection, Offer offer) {
        byLocalId.put(connection.localId(), connection);
        offers.put(connection, offer);
    }

    void withdraw(Connection connection) {
        connection.takeDown();
        byLocalId.remove(connection.localId());
        offers.remove(connection);
    }

    /** The offered connection has sent something genuine: it stands. */
    void take(Connection connection) {
        Offer offer = offers.remove(connection);
        if (offer != null) {
            offer.taken();
        }
    }

    /** Somebody sent something under this connection's id that is not genuine. */
    void forged(Connection connection) {
        Offer offer = offers.get(connection);
        if (offer == null) {
            lose(connection, connection.corrupt("a message came with a wrong signature"));
            return;
        }
        offer.forged();
    }

    /** The connection stands from here on. */
    void establish(Connection connection) {
        connection.prove(core.clock().observedNanos());
        byLocalId.put(connection.localId(), connection);
        byRank.put(connection.peer().rank(), connection);
        connection.endpoint().serve((_, error) -> lose(connection, connection.lost(error)));
        core.outcomes().add(listener -> listener.onConnected(connection.peer()));
    }

    /** Tells the peer where this rank's memory is, if it may read it. */
    void announceRegion(Connection connection) {
        if (ownRegion != null) {
            core.courier().send(connection, Envelope.Kind.REGION, ownRegion.encode());
        }
    }

    /** The peer's memory is there: reads bodies from it, if this rank does such things and can. */
    void openRegion(Connection connection, PeerRegion.Location location) {
        if (ownRegion == null || connection.region() != null) {
            return;
        }
        try {
            connection.region(PeerRegion.open(location));
            core.courier().send(connection, Envelope.Kind.REGION_READABLE, NO_CONTENT);
        } catch (IOException e) {
            // Another node or container, or another user's process: bodies go on coming through UCX.
            connection.region(null);
        }
    }

    /** Ends a connection and reports it, once nothing of it is in flight. */
    void lose(Connection connection, HeadraceException cause) {
        end(connection, cause, () -> core.outcomes().add(listener -> listener.onPeerLost(connection.peer(), cause)));
    }

    /** Ends a connection that the owner does not want any more, without a report. */
    void drop(Connection connection, String why) {
        end(connection, connection.lost(why), () -> {});
    }

    private void end(Connection connection, HeadraceException cause, Runnable report) {
        if (connection.down()) {
            return;
        }
        connection.takeDown();
        byLocalId.remove(connection.localId());
        byRank.remove(connection.peer().rank(), connection);
        sharedBodies.abandon(connection, cause);
        ucxBodies.abandon(connection, cause);
        closeRegion(connection);
        core.departures().add(connection.endpoint(), core.clock().nowNanos(), report);
    }

    private static void closeRegion(Connection connection) {
        PeerRegion region = connection.region();
        if (region == null) {
            return;
        }
        connection.region(null);
        try {
            region.close();
        } catch (IOException e) {
            throw HeadraceException.internal("can't close the memory of " + Connection.name(connection.peer()), e);
        }
    }

    /** Sends heartbeats and finds the silent; does nothing between two heartbeats. */
    int tick() {
        if (core.clock().nowNanos() - nextTickNanos < 0) {
            return 0;
        }
        nextTickNanos = core.clock().nowNanos() + heartbeatNanos;
        int lost = 0;
        for (Connection connection : List.copyOf(byRank.values())) {
            long silentNanos = connection.silentNanos(core.clock().observedNanos());
            if (silentNanos > peerTimeout.toNanos()) {
                lose(
                        connection,
                        connection.lost("it has been silent for " + silentNanos / 1_000_000
                                + " ms, over the peer timeout of " + peerTimeout.toMillis() + " ms"));
                lost++;
            } else if (!connection.spokeLately()) {
                core.courier().send(connection, Envelope.Kind.HEARTBEAT, NO_CONTENT);
                // A heartbeat is not a reason to leave the next one out.
                connection.spokeLately();
            }
        }
        return lost;
    }

    long nanosToTick() {
        return Math.max(0, nextTickNanos - core.clock().nowNanos());
    }

    /** Ends all connections without a report. */
    void dropAll(String why) {
        for (Connection connection : List.copyOf(byRank.values())) {
            drop(connection, why);
        }
    }
}
