package dev.headrace.bench;

import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the network gives without an engine: every rank sends bodies of a slab's size from warm memory to the next rank,
 * a few at a time, while the one before sends to it. Owned by its rank; one thread at a time.
 */
final class UcxProbe implements AutoCloseable {
    static final int BODIES = 512;
    static final int BODY_BYTES = 1 << 20;

    private static final int IN_FLIGHT = 8;
    private static final long AWAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Arena arena = Arena.ofShared();
    private final Transport transport;
    private final int rank;
    private final int ranks;
    private final MemorySegment outgoing = arena.allocate(BODY_BYTES, 64);
    private final MemorySegment incoming = arena.allocate((long) IN_FLIGHT * BODY_BYTES, 64);
    private final Set<Integer> connected = new HashSet<>();
    private int sent;
    private int acknowledged;
    private int landings;
    private int landed;
    private @Nullable HeadraceException failure;

    /** @param transport becomes the probe's */
    UcxProbe(Transport transport, int rank, int ranks) {
        this.transport = transport;
        this.rank = rank;
        this.ranks = ranks;
    }

    byte[] address() {
        return transport.address();
    }

    /** Connects, sends and receives everything; gives the nanoseconds since the neighbours were connected. */
    long measure(List<byte[]> addresses) {
        transport.start(new Listener());
        int next = (rank + 1) % ranks;
        Set<Integer> neighbours = new HashSet<>(List.of(next));
        neighbours.add((rank + ranks - 1) % ranks);
        for (int neighbour : neighbours) {
            transport.connect(new PeerId(neighbour, 1), addresses.get(neighbour));
        }
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!connected.containsAll(neighbours)) {
            turn(deadline);
        }
        long start = System.nanoTime();
        MemorySegment header = arena.allocate(8);
        while (acknowledged < BODIES || landed < BODIES) {
            while (sent < BODIES && sent - acknowledged < IN_FLIGHT) {
                sent++;
                transport.send(new PeerId(next, 1), header, outgoing, sent);
            }
            turn(deadline);
        }
        return System.nanoTime() - start;
    }

    private void turn(long deadline) {
        if (transport.progress() == 0) {
            transport.await(AWAIT_NANOS);
        }
        if (failure != null) {
            throw failure;
        }
        if (System.nanoTime() - deadline > 0) {
            throw HeadraceException.deadline("the network's bandwidth could not be measured: " + connected.size()
                    + " neighbours connected, " + acknowledged + " of " + BODIES + " bodies sent, " + landed
                    + " received");
        }
    }

    @Override
    public void close() {
        transport.close();
        arena.close();
    }

    private final class Listener implements TransportListener {
        @Override
        public void onConnected(PeerId peer) {
            connected.add(peer.rank());
        }

        @Override
        public void onMessage(PeerId from, MemorySegment header) {}

        @Override
        public Landing onBody(PeerId from, MemorySegment header, long bodyBytes) {
            long place = landings++ % IN_FLIGHT;
            return new Target(incoming.asSlice(place * BODY_BYTES, BODY_BYTES));
        }

        @Override
        public void onSent(long token) {
            acknowledged++;
        }

        @Override
        public void onPeerLost(PeerId peer, HeadraceException cause) {
            failure = cause;
        }
    }

    private final class Target implements TransportListener.Landing {
        private final MemorySegment segment;

        Target(MemorySegment segment) {
            this.segment = segment;
        }

        @Override
        public MemorySegment segment() {
            return segment;
        }

        @Override
        public void landed() {
            landed++;
        }

        @Override
        public void failed(HeadraceException cause) {
            failure = cause;
        }
    }
}
