package dev.headrace.transport.ucx;

import dev.headrace.transport.PeerId;
import dev.headrace.transport.ucx.HandshakeMessage.Challenge;
import dev.headrace.transport.ucx.HandshakeMessage.Hello;
import dev.headrace.transport.ucx.HandshakeMessage.Refusal;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.openucx.jucx.UcxException;

/** The connecting side of handshakes: says hello, checks the challenge, and is ready. Owner thread only. */
final class Caller {
    private static final byte[] NO_CONTENT = new byte[0];
    private static final byte[] NOTHING_BEFORE = new byte[0];

    private final PeerId self;
    private final Core core;
    private final HandshakeKeys keys;
    private final Connections connections;
    private final Report report;
    private final Map<Long, Attempt> attempts = new HashMap<>();

    /** What comes of attempts. */
    interface Report {
        void reached(Connection connection);

        void unreachable(PeerId peer, String why);
    }

    /** A hello that is not answered yet. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Attempt(PeerId peer, UcxEndpoint endpoint, byte[] hello) {}

    Caller(PeerId self, Core core, HandshakeKeys keys, Connections connections, Report report) {
        this.self = self;
        this.core = core;
        this.keys = keys;
        this.connections = connections;
        this.report = report;
    }

    void call(PeerId peer, InetSocketAddress at) {
        UcxEndpoint endpoint;
        try {
            endpoint = core.worker().connect(at);
        } catch (UcxException e) {
            report.unreachable(peer, "can't connect to " + at + ": " + e.getMessage());
            return;
        }
        Hello hello = new Hello(keys.newConnectionId(), self, peer, keys.newNonce());
        byte[] said = keys.prove(hello, NOTHING_BEFORE);
        attempts.put(hello.connectorId(), new Attempt(peer, endpoint, said));
        endpoint.serve((_, error) -> {
            end(hello.connectorId());
            report.unreachable(peer, "the connection to " + at + " failed: " + error);
        });
        core.courier().send(endpoint, said);
    }

    void challenged(Challenge challenge, byte[] received) {
        Attempt attempt = attempts.get(challenge.connectorId());
        if (attempt == null || !keys.proves(challenge, received, attempt.hello())) {
            core.counts().refusedMessage();
            return;
        }
        attempts.remove(challenge.connectorId());
        Connection.Seals seals = new Connection.Seals(
                keys.fromConnector(attempt.hello(), received), keys.fromAcceptor(attempt.hello(), received));
        Connection connection = new Connection(
                attempt.peer(), attempt.endpoint(), challenge.connectorId(), challenge.acceptorId(), seals);
        connections.establish(connection);
        core.courier().send(connection, Envelope.Kind.READY, NO_CONTENT);
        report.reached(connection);
    }

    void refused(Refusal refusal, byte[] received) {
        Attempt attempt = attempts.get(refusal.connectorId());
        if (attempt == null || !keys.proves(refusal, received, attempt.hello())) {
            core.counts().refusedMessage();
            return;
        }
        end(refusal.connectorId());
        report.unreachable(attempt.peer(), refusal.reason());
    }

    /** Gives up calling a peer. */
    void hangUp(PeerId peer) {
        for (Iterator<Attempt> each = attempts.values().iterator(); each.hasNext(); ) {
            Attempt attempt = each.next();
            if (attempt.peer().equals(peer)) {
                each.remove();
                close(attempt);
            }
        }
    }

    void hangUpAll() {
        attempts.values().forEach(this::close);
        attempts.clear();
    }

    private void end(long connectorId) {
        Attempt attempt = attempts.remove(connectorId);
        if (attempt != null) {
            close(attempt);
        }
    }

    private void close(Attempt attempt) {
        core.departures().add(attempt.endpoint(), core.clock().nowNanos(), () -> {});
    }
}
