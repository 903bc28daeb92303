package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.ucx.HandshakeMessage.Challenge;
import dev.headrace.transport.ucx.HandshakeMessage.Hello;
import dev.headrace.transport.ucx.HandshakeMessage.Refusal;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.ucp.UcpConnectionRequest;

/**
 * From {@code connect} to a connection: knows which peers are wanted, until when, and which lives of a rank are over.
 * Of two ranks the lower one connects, so that there is one connection between them. Owner thread only.
 */
final class Greetings {
    private final PeerId self;
    private final Core core;
    private final Connections connections;
    private final Duration connectTimeout;
    private final Caller caller;
    private final Doorman doorman;
    private final Map<Integer, Wish> wishes = new HashMap<>();
    private final Map<Integer, Long> newestIncarnations = new HashMap<>();

    /** A peer that the owner asked for and that is not connected yet. */
    private record Wish(PeerId peer, long deadlineNanos) {}

    Greetings(PeerId self, UcxSettings settings, Core core, Connections connections) {
        this.self = self;
        this.core = core;
        this.connections = connections;
        this.connectTimeout = settings.connectTimeout();
        HandshakeKeys keys = new HandshakeKeys(settings.jobKey());
        this.caller = new Caller(self, core, keys, connections, new Calls());
        this.doorman = new Doorman(self, core, keys, connections, new House(), connectTimeout.toNanos());
    }

    void connect(PeerId peer, InetSocketAddress at) {
        String objection = objectionTo(peer);
        if (objection != null) {
            giveUp(peer, objection);
            return;
        }
        Wish earlier = wishes.get(peer.rank());
        if (connections.to(peer) != null || (earlier != null && earlier.peer().equals(peer))) {
            return;
        }
        newestIncarnations.put(peer.rank(), peer.incarnation());
        String replaced = "replaced by incarnation " + peer.incarnation();
        Connection old = connections.toRank(peer.rank());
        if (old != null) {
            connections.lose(old, old.lost(replaced));
        }
        if (earlier != null) {
            withdraw(earlier.peer());
            giveUp(earlier.peer(), replaced);
        }
        wishes.put(peer.rank(), new Wish(peer, core.clock().nowNanos() + connectTimeout.toNanos()));
        doorman.outdate(peer);
        if (self.rank() < peer.rank()) {
            caller.call(peer, at);
        } else {
            doorman.expect(peer);
        }
    }

    /** The owner does not want this peer any more. */
    void withdraw(PeerId peer) {
        if (wants(peer)) {
            wishes.remove(peer.rank());
            caller.hangUp(peer);
        }
    }

    void requested(UcpConnectionRequest request) {
        doorman.requested(request);
    }

    void received(WorkerEvent.Received event) {
        core.worker().release(event.payload());
        byte[] message = event.header().bytes();
        HandshakeMessage decoded;
        try {
            decoded = HandshakeMessage.decode(message);
        } catch (HeadraceException e) {
            core.counts().refusedMessage();
            return;
        }
        switch (decoded) {
            case Hello hello -> doorman.greeted(hello, message, event.replyTo());
            case Challenge challenge -> caller.challenged(challenge, message);
            case Refusal refusal -> caller.refused(refusal, message);
        }
    }

    /** Gives up what took too long. */
    int expire() {
        int expired = doorman.expire();
        for (Wish wish : List.copyOf(wishes.values())) {
            if (core.clock().nowNanos() - wish.deadlineNanos() >= 0) {
                withdraw(wish.peer());
                giveUp(wish.peer(), "it did not connect within " + connectTimeout.toMillis() + " ms");
                expired++;
            }
        }
        return expired;
    }

    long nanosToNextDeadline() {
        long next = doorman.nanosToNextDeadline();
        for (Wish wish : wishes.values()) {
            next = Math.min(
                    next, Math.max(0, wish.deadlineNanos() - core.clock().nowNanos()));
        }
        return next;
    }

    void close() {
        wishes.clear();
        caller.hangUpAll();
        doorman.sendAllAway();
    }

    private boolean wants(PeerId peer) {
        Wish wish = wishes.get(peer.rank());
        return wish != null && wish.peer().equals(peer);
    }

    private @Nullable String objectionTo(PeerId peer) {
        Long newest = newestIncarnations.get(peer.rank());
        return newest != null && peer.incarnation() < newest
                ? Connection.name(peer) + " is stale: incarnation " + newest + " of that rank is known"
                : null;
    }

    private void giveUp(PeerId peer, String why) {
        HeadraceException cause = Connection.lost(peer, why);
        core.outcomes().add(listener -> listener.onPeerLost(peer, cause));
    }

    private void reached(Connection connection) {
        wishes.remove(connection.peer().rank());
        connections.announceRegion(connection);
    }

    /** What comes of this side's calls. */
    private final class Calls implements Caller.Report {
        @Override
        public void reached(Connection connection) {
            Greetings.this.reached(connection);
        }

        @Override
        public void unreachable(PeerId peer, String why) {
            if (wants(peer)) {
                wishes.remove(peer.rank());
                giveUp(peer, why);
            }
        }
    }

    /** Who may come in. */
    private final class House implements Doorman.Policy {
        @Override
        public @Nullable String objection(PeerId peer) {
            if (peer.rank() >= self.rank()) {
                return "the lower rank connects, but rank " + peer.rank() + " called rank " + self.rank();
            }
            return objectionTo(peer);
        }

        @Override
        public boolean wanted(PeerId peer) {
            return wants(peer);
        }

        @Override
        public void reached(Connection connection) {
            Greetings.this.reached(connection);
        }
    }
}
