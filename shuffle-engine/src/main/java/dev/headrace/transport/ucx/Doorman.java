package dev.headrace.transport.ucx;

import dev.headrace.transport.PeerId;
import dev.headrace.transport.ucx.HandshakeMessage.Challenge;
import dev.headrace.transport.ucx.HandshakeMessage.Hello;
import dev.headrace.transport.ucx.HandshakeMessage.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;

/**
 * The accepting side of handshakes: lets visitors in, hears their hello, challenges those that are wanted, lets those
 * wait that may be wanted later, and sends strangers away. Owner thread only.
 */
final class Doorman {
    /** More visitors than this at a time are turned away at once, so that strangers can't fill the memory. */
    private static final int MAX_VISITORS = 1024;

    /** How long a refused visitor may take to read why. */
    private static final long FAREWELL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final byte[] NOTHING_BEFORE = new byte[0];

    private final PeerId self;
    private final Core core;
    private final HandshakeKeys keys;
    private final Connections connections;
    private final Policy policy;
    private final long patienceNanos;
    private final Map<Long, Visitor> visitors = new HashMap<>();

    /** Who may come in. */
    interface Policy {
        /** Why this peer is refused, or null. */
        @Nullable
        String objection(PeerId peer);

        /** Whether the owner waits for this peer now. */
        boolean wanted(PeerId peer);

        /** The connection stands. */
        void reached(Connection connection);
    }

    /** Somebody at the door: silent at first, then with a hello, then with an offer. */
    private static final class Visitor {
        private final UcxEndpoint endpoint;
        private long deadlineNanos;
        private @Nullable Hello hello;
        private byte[] said = NOTHING_BEFORE;
        private @Nullable Connection offered;
        private boolean refused;

        Visitor(UcxEndpoint endpoint, long deadlineNanos) {
            this.endpoint = endpoint;
            this.deadlineNanos = deadlineNanos;
        }

        boolean isFrom(PeerId peer) {
            return hello != null && hello.from().equals(peer);
        }
    }

    Doorman(PeerId self, Core core, HandshakeKeys keys, Connections connections, Policy policy, long patienceNanos) {
        this.self = self;
        this.core = core;
        this.keys = keys;
        this.connections = connections;
        this.policy = policy;
        this.patienceNanos = patienceNanos;
    }

    void requested(UcpConnectionRequest request) {
        if (visitors.size() >= MAX_VISITORS) {
            core.counts().stranger();
            request.reject();
            return;
        }
        try {
            UcxEndpoint endpoint = core.worker().accept(request);
            Visitor visitor = new Visitor(endpoint, core.clock().nowNanos() + patienceNanos);
            visitors.put(endpoint.id(), visitor);
            endpoint.serve((_, _) -> leave(visitor));
        } catch (UcxException e) {
            // The visitor is gone already.
            core.counts().stranger();
        }
    }

    void greeted(Hello hello, byte[] received, long endpointId) {
        Visitor visitor = visitors.get(endpointId);
        if (visitor == null) {
            core.counts().refusedMessage();
            return;
        }
        if (visitor.hello != null || !keys.proves(hello, received, NOTHING_BEFORE)) {
            sendAway(visitor);
            return;
        }
        visitor.hello = hello;
        visitor.said = received;
        String objection = objectionTo(hello);
        if (objection != null) {
            refuse(visitor, hello, objection);
        } else if (policy.wanted(hello.from())) {
            challenge(visitor, hello);
        }
    }

    /** The owner waits for this peer from now on: those of that name who are here already may come in. */
    void expect(PeerId peer) {
        for (Visitor visitor : List.copyOf(visitors.values())) {
            Hello hello = visitor.hello;
            if (hello != null && visitor.isFrom(peer) && visitor.offered == null && !visitor.refused) {
                challenge(visitor, hello);
            }
        }
    }

    /** Nobody older than this life of the rank may come in any more. */
    void outdate(PeerId newest) {
        each(visitor -> {
            Hello hello = visitor.hello;
            if (hello != null
                    && hello.from().rank() == newest.rank()
                    && hello.from().incarnation() < newest.incarnation()
                    && !visitor.refused) {
                refuse(visitor, hello, Connection.name(hello.from()) + " is stale: " + newest + " is known");
            }
        });
    }

    int expire() {
        int[] expired = {0};
        each(visitor -> {
            if (core.clock().nowNanos() - visitor.deadlineNanos >= 0) {
                if (visitor.hello == null) {
                    core.counts().stranger();
                }
                leave(visitor);
                expired[0]++;
            }
        });
        return expired[0];
    }

    void sendAllAway() {
        each(this::leave);
    }

    long nanosToNextDeadline() {
        long next = Long.MAX_VALUE;
        for (Visitor visitor : visitors.values()) {
            next = Math.min(
                    next, Math.max(0, visitor.deadlineNanos - core.clock().nowNanos()));
        }
        return next;
    }

    private @Nullable String objectionTo(Hello hello) {
        if (!hello.to().equals(self)) {
            return Connection.name(hello.to()) + " was called, but this is " + Connection.name(self);
        }
        return policy.objection(hello.from());
    }

    private void challenge(Visitor visitor, Hello hello) {
        Challenge challenge = new Challenge(hello.connectorId(), keys.newConnectionId(), keys.newNonce());
        byte[] answer = keys.prove(challenge, visitor.said);
        Connection.Seals seals =
                new Connection.Seals(keys.fromAcceptor(visitor.said, answer), keys.fromConnector(visitor.said, answer));
        Connection offered =
                new Connection(hello.from(), visitor.endpoint, challenge.acceptorId(), challenge.connectorId(), seals);
        visitor.offered = offered;
        connections.offer(offered, new Connections.Offer() {
            @Override
            public void taken() {
                admit(visitor, offered);
            }

            @Override
            public void forged() {
                sendAway(visitor);
            }
        });
        core.courier().send(visitor.endpoint, answer);
    }

    private void admit(Visitor visitor, Connection connection) {
        visitors.remove(visitor.endpoint.id());
        if (!policy.wanted(connection.peer())) {
            // Two calls of one peer at a time, and the other one was quicker; or the owner does not want it any more.
            connections.withdraw(connection);
            core.departures().add(visitor.endpoint, core.clock().nowNanos(), () -> {});
            return;
        }
        connections.establish(connection);
        policy.reached(connection);
        each(other -> {
            if (other.isFrom(connection.peer())) {
                leave(other);
            }
        });
    }

    private void refuse(Visitor visitor, Hello hello, String reason) {
        visitor.refused = true;
        visitor.deadlineNanos = core.clock().nowNanos() + FAREWELL_NANOS;
        core.courier().send(visitor.endpoint, keys.prove(new Refusal(hello.connectorId(), reason), visitor.said));
    }

    private void sendAway(Visitor visitor) {
        core.counts().stranger();
        leave(visitor);
    }

    private void leave(Visitor visitor) {
        visitors.remove(visitor.endpoint.id());
        if (visitor.offered != null) {
            connections.withdraw(visitor.offered);
        }
        core.departures().add(visitor.endpoint, core.clock().nowNanos(), () -> {});
    }

    private void each(Consumer<Visitor> action) {
        List.copyOf(visitors.values()).forEach(action);
    }
}
