package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Transport} over UCX for ranks that may be killed, stopped, or strangers. It listens from its construction
 * on; everything else happens on the owner thread.
 *
 * <p>A body lies off the heap. If it lies in this rank's {@link SharedRegion} and the peer can read that, only its
 * place is sent. A transfer that UCX does not complete within a second of the loss of its peer is answered late, at the
 * latest in {@link #close}: until then its memory must not be used for anything else.
 */
public final class UcxTransport implements Transport {
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** While endpoints are closing, UCX need not announce its own progress. */
    private static final long CLOSING_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final PeerId self;
    private final UcxContext context;
    private final UcxWorker worker;
    private final UcxListener door;
    private final byte[] address;
    private final Core core;
    private final SharedBodies sharedBodies;
    private final UcxBodies ucxBodies;
    private final Connections connections;
    private final Greetings greetings;
    private final Arrivals arrivals;
    private final AdaptiveSpin spin = new AdaptiveSpin();
    private final AtomicBoolean woken = new AtomicBoolean();
    private @Nullable TransportListener listener;
    private boolean closed;

    /**
     * Opens UCX and listens.
     *
     * @param self the life of the rank that this is
     * @param region where this rank's bodies lie, for peers on this node to read; stays the caller's, and open until
     *     the transport is closed
     */
    public UcxTransport(PeerId self, UcxSettings settings, @Nullable SharedRegion region) {
        this.self = self;
        NetDevices devices = NetDevices.of(settings.netDevices());
        this.context = UcxContext.open(settings, devices);
        UcxWorker opened = null;
        try {
            opened = new UcxWorker(context);
            this.worker = opened;
            this.door = worker.listen(new InetSocketAddress(devices.host(), 0));
        } catch (RuntimeException e) {
            if (opened != null) {
                opened.close();
            }
            context.close();
            throw e;
        }
        this.address = new UcxAddress(door.socket()).encode();
        ObservedClock clock =
                new ObservedClock(System::nanoTime, settings.heartbeat().toNanos());
        Outcomes outcomes = new Outcomes();
        TrafficCounts counts = new TrafficCounts();
        Courier courier = new Courier(region, outcomes, counts);
        this.core = new Core(worker, clock, outcomes, counts, courier, new Departures(counts));
        this.sharedBodies = new SharedBodies(outcomes);
        this.ucxBodies = new UcxBodies(worker, outcomes);
        this.connections = new Connections(settings, region, core, sharedBodies, ucxBodies);
        this.greetings = new Greetings(self, settings, core, connections);
        this.arrivals = new Arrivals(core, connections, sharedBodies, ucxBodies);
    }

    @Override
    public byte[] address() {
        return address.clone();
    }

    @Override
    public void start(TransportListener newListener) {
        if (listener != null || closed) {
            throw new IllegalStateException("the transport of " + self + " was started or closed before");
        }
        listener = newListener;
        arrivals.start(newListener);
    }

    @Override
    public void connect(PeerId peer, byte[] peerAddress) {
        started();
        if (peer.rank() == self.rank()) {
            throw HeadraceException.invalidInput(self + " can't connect to its own rank, asked for " + peer);
        }
        core.clock().look();
        greetings.connect(peer, UcxAddress.decode(peerAddress).socket());
    }

    @Override
    public void send(PeerId peer, MemorySegment header, @Nullable MemorySegment body, long token) {
        started();
        if (header.byteSize() > MAX_HEADER_BYTES) {
            throw HeadraceException.invalidInput(
                    "a header of " + header.byteSize() + " bytes is over the limit of " + MAX_HEADER_BYTES);
        }
        if (body != null && !body.isNative()) {
            throw HeadraceException.invalidInput("a body of " + body.byteSize() + " bytes lies on the heap");
        }
        Connection connection = connections.to(peer);
        if (connection == null) {
            core.outcomes().sent(token);
            return;
        }
        core.courier().send(connection, header, body, token, connections::lose);
    }

    @Override
    public void disconnect(PeerId peer) {
        started();
        greetings.withdraw(peer);
        Connection connection = connections.to(peer);
        if (connection != null) {
            connections.drop(connection, "it was disconnected");
        }
    }

    @Override
    public int progress() {
        TransportListener told = started();
        core.clock().look();
        int done = worker.progress();
        done += handleEvents();
        done += sharedBodies.step(connections::lose);
        done += connections.tick();
        done += greetings.expire();
        done += core.departures().poll(core.clock().nowNanos());
        return done + core.outcomes().deliver(told);
    }

    @Override
    public void await(long timeoutNanos) {
        started();
        if (woken.getAndSet(false) || hasWork()) {
            return;
        }
        core.clock().look();
        long wait = Math.min(timeoutNanos, Math.min(connections.nanosToTick(), greetings.nanosToNextDeadline()));
        if (!core.departures().isEmpty()) {
            wait = Math.min(wait, CLOSING_WAIT_NANOS);
        }
        if (wait <= 0 || foundBySpinning(wait)) {
            return;
        }
        worker.await(wait);
        // What was put in before the wake-up is seen by the owner after this.
        woken.set(false);
    }

    @Override
    public void wakeUp() {
        if (!woken.getAndSet(true)) {
            worker.signal();
        }
    }

    @Override
    public Traffic traffic() {
        UcxCounts counts = counts();
        return new Traffic(counts.sharedSlabBytes(), counts.ucxBytes());
    }

    /** What this transport has done since it was made; any thread. */
    public UcxCounts counts() {
        return core.counts().snapshot();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        door.close();
        greetings.close();
        connections.dropAll("this rank closed its transport");
        long deadline = System.nanoTime() + CLOSE_NANOS;
        do {
            core.clock().look();
            worker.progress();
            handleCompletions();
            core.departures().poll(core.clock().nowNanos());
        } while (!core.departures().isEmpty() && System.nanoTime() - deadline < 0);
        worker.close();
        context.close();
        answerTheRest();
        core.courier().close();
    }

    /** With the worker gone, nothing reads or writes any body any more. */
    private void answerTheRest() {
        core.courier().handBackAll();
        ucxBodies.close(HeadraceException.peerLost(self.rank(), self + " closed its transport"));
        if (listener != null) {
            core.outcomes().deliver(listener);
        }
    }

    private int handleEvents() {
        int handled = 0;
        for (WorkerEvent event = worker.poll(); event != null; event = worker.poll()) {
            switch (event) {
                case WorkerEvent.Completed done -> done.operation().finished(done.error());
                case WorkerEvent.Requested requested -> greetings.requested(requested.request());
                case WorkerEvent.EndpointFailed failed -> failed(failed);
                case WorkerEvent.Received received -> {
                    if (received.sealed()) {
                        arrivals.received(received);
                    } else {
                        greetings.received(received);
                    }
                }
            }
            handled++;
        }
        return handled;
    }

    /** While closing, only what is still in flight counts. */
    private void handleCompletions() {
        for (WorkerEvent event = worker.poll(); event != null; event = worker.poll()) {
            switch (event) {
                case WorkerEvent.Completed done -> done.operation().finished(done.error());
                case WorkerEvent.Requested requested -> {}
                case WorkerEvent.EndpointFailed failed -> failed(failed);
                case WorkerEvent.Received received -> worker.release(received.payload());
            }
        }
    }

    private static void failed(WorkerEvent.EndpointFailed event) {
        UcxEndpoint.User user = event.endpoint().user();
        if (user != null) {
            user.endpointFailed(event.endpoint(), event.error());
        }
    }

    private boolean hasWork() {
        return worker.hasEvents() || !core.outcomes().isEmpty() || !sharedBodies.isEmpty();
    }

    private boolean foundBySpinning(long waitNanos) {
        if (!spin.pays()) {
            return false;
        }
        long end = System.nanoTime() + Math.min(waitNanos, AdaptiveSpin.SPIN_NANOS);
        do {
            if (worker.progress() > 0 || worker.hasEvents() || woken.get()) {
                spin.found(true);
                woken.set(false);
                return true;
            }
            Thread.onSpinWait();
        } while (System.nanoTime() - end < 0);
        spin.found(false);
        return false;
    }

    private TransportListener started() {
        if (closed) {
            throw new IllegalStateException("the transport of " + self + " is closed");
        }
        return Objects.requireNonNull(listener, "the transport was not started");
    }
}
