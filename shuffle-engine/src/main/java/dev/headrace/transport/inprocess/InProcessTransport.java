package dev.headrace.transport.inprocess;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportListener;
import dev.headrace.transport.TransportListener.Landing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A {@link Transport} to the other transports of its {@link Hub}; made by {@link Hub#transport}. */
public final class InProcessTransport implements Transport {
    private final Hub hub;
    private final PeerId self;
    private final byte[] address;
    private final Duration connectTimeout;
    private final Inbox inbox = new Inbox();
    private final Map<Integer, Link> links = new HashMap<>();
    private final Map<Integer, Long> newestIncarnations = new HashMap<>();
    private @Nullable TransportListener listener;
    private boolean closed;

    InProcessTransport(Hub hub, PeerId self, byte[] address, Duration connectTimeout) {
        this.hub = hub;
        this.self = self;
        this.address = address;
        this.connectTimeout = connectTimeout;
    }

    PeerId self() {
        return self;
    }

    Inbox inbox() {
        return inbox;
    }

    @Override
    public byte[] address() {
        return address.clone();
    }

    @Override
    public void start(TransportListener listener) {
        if (this.listener != null || closed) {
            throw new IllegalStateException("the transport of " + self + " was started or closed before");
        }
        this.listener = listener;
    }

    @Override
    public void connect(PeerId peer, byte[] peerAddress) {
        listener();
        if (peer.rank() == self.rank()) {
            throw HeadraceException.invalidInput(self + " can't connect to its own rank, asked for " + peer);
        }
        long newest = newestIncarnations.getOrDefault(peer.rank(), Long.MIN_VALUE);
        if (peer.incarnation() < newest) {
            refuse(peer, Line.name(peer) + " is stale: incarnation " + newest + " of this rank is known");
            return;
        }
        Link old = links.get(peer.rank());
        if (old != null && old.peer().equals(peer)) {
            return;
        }
        newestIncarnations.put(peer.rank(), peer.incarnation());
        if (old != null) {
            drop(old, "replaced by incarnation " + peer.incarnation());
            refuse(old.peer(), "lost " + Line.name(old.peer()) + ": replaced by incarnation " + peer.incarnation());
        }
        links.put(peer.rank(), new Link(peer, System.nanoTime() + connectTimeout.toNanos()));
        hub.ask(this, peer, peerAddress);
    }

    @Override
    public void send(PeerId peer, MemorySegment header, @Nullable MemorySegment body, long token) {
        listener();
        if (header.byteSize() > MAX_HEADER_BYTES) {
            throw HeadraceException.invalidInput(
                    "a header of " + header.byteSize() + " bytes is over the limit of " + MAX_HEADER_BYTES);
        }
        Link link = links.get(peer.rank());
        Line line = link == null || !link.peer().equals(peer) ? null : link.line();
        if (link == null || line == null) {
            inbox.put(new Event.Dropped(token));
            return;
        }
        Parcel parcel = new Parcel(line, header.toArray(ValueLayout.JAVA_BYTE), body, token);
        link.underway().add(parcel);
        if (!line.far(this).inbox().put(new Event.Received(parcel))) {
            inbox.put(new Event.Returned(parcel));
        }
    }

    @Override
    public void disconnect(PeerId peer) {
        listener();
        Link link = links.get(peer.rank());
        if (link != null && link.peer().equals(peer)) {
            drop(link, "it disconnected");
            links.remove(peer.rank());
        }
    }

    @Override
    public int progress() {
        int done = 0;
        // What arrives while this runs waits for the next call, so that one call can't go on for ever.
        for (int budget = 256; budget > 0; budget--) {
            Event event = inbox.poll();
            if (event == null) {
                break;
            }
            handle(event);
            done++;
        }
        return done + expire(System.nanoTime());
    }

    @Override
    public void await(long timeoutNanos) {
        long now = System.nanoTime();
        long wait = timeoutNanos;
        for (Link link : links.values()) {
            wait = Math.min(wait, link.waitNanos(now));
        }
        inbox.await(wait);
    }

    @Override
    public void wakeUp() {
        inbox.wakeUp();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        hub.leave(this);
        inbox.close();
        for (Link link : links.values()) {
            handBack(link);
        }
        links.clear();
        for (Event event = inbox.poll(); event != null; event = inbox.poll()) {
            switch (event) {
                case Event.Received received -> giveBack(received.parcel());
                case Event.Dropped dropped -> sent(dropped.token());
                case Event.Returned _, Event.Connected _, Event.Down _, Event.Refused _ -> {}
            }
        }
    }

    private void handle(Event event) {
        switch (event) {
            case Event.Connected connected -> up(connected.line());
            case Event.Received received -> receive(received.parcel());
            case Event.Returned returned -> returned(returned.parcel());
            case Event.Dropped dropped -> sent(dropped.token());
            case Event.Down down -> down(down.line(), down.cause());
            case Event.Refused refused -> listener().onPeerLost(refused.peer(), refused.cause());
        }
    }

    private void up(Line line) {
        PeerId peer = line.far(this).self();
        Link link = links.get(peer.rank());
        if (link == null || !link.peer().equals(peer) || link.line() != null) {
            hub.hangUp(line, this, "it no longer wants this connection");
            return;
        }
        link.up(line);
        listener().onConnected(peer);
    }

    private void receive(Parcel parcel) {
        try {
            PeerId from = parcel.line().far(this).self();
            Link link = links.get(from.rank());
            if (link == null || link.line() != parcel.line()) {
                return;
            }
            if (!parcel.hasBody()) {
                listener().onMessage(from, parcel.header());
                return;
            }
            Landing landing = listener().onBody(from, parcel.header(), parcel.bodyBytes());
            if (landing != null) {
                land(parcel, landing, from);
            }
        } finally {
            giveBack(parcel);
        }
    }

    private static void land(Parcel parcel, Landing landing, PeerId from) {
        MemorySegment target = landing.segment();
        if (target.byteSize() < parcel.bodyBytes()) {
            landing.failed(tooSmall(target.byteSize(), parcel.bodyBytes()));
        } else if (parcel.copyTo(target)) {
            landing.landed();
        } else {
            landing.failed(
                    HeadraceException.peerLost(from.rank(), "lost " + Line.name(from) + " before its body was read"));
        }
    }

    private static HeadraceException tooSmall(long targetBytes, long bodyBytes) {
        return new HeadraceException(
                Category.INTERNAL,
                Action.FAIL_SHUFFLE,
                HeadraceException.NO_RANK,
                "a landing of " + targetBytes + " bytes is too small for a body of " + bodyBytes);
    }

    private void giveBack(Parcel parcel) {
        parcel.line().far(this).inbox().put(new Event.Returned(parcel));
    }

    private void returned(Parcel parcel) {
        PeerId peer = parcel.line().far(this).self();
        Link link = links.get(peer.rank());
        if (link != null && link.underway().remove(parcel)) {
            sent(parcel.token());
        }
    }

    private void down(Line line, HeadraceException cause) {
        PeerId peer = line.far(this).self();
        Link link = links.get(peer.rank());
        if (link == null || link.line() != line) {
            return;
        }
        links.remove(peer.rank());
        handBack(link);
        listener().onPeerLost(peer, cause);
    }

    private int expire(long nowNanos) {
        int lost = 0;
        for (Link link : List.copyOf(links.values())) {
            if (link.waitNanos(nowNanos) > 0) {
                continue;
            }
            PeerId peer = link.peer();
            links.remove(peer.rank());
            hub.withdraw(this, peer);
            listener()
                    .onPeerLost(
                            peer,
                            HeadraceException.peerLost(
                                    peer.rank(), Line.name(peer) + " did not connect within " + connectTimeout));
            lost++;
        }
        return lost;
    }

    private void drop(Link link, String why) {
        hub.withdraw(this, link.peer());
        if (link.line() != null) {
            hub.hangUp(link.line(), this, why);
        }
        for (Parcel parcel : link.underway()) {
            parcel.revoke();
            inbox.put(new Event.Dropped(parcel.token()));
        }
        link.underway().clear();
    }

    private void handBack(Link link) {
        for (Parcel parcel : List.copyOf(link.underway())) {
            parcel.revoke();
            link.underway().remove(parcel);
            sent(parcel.token());
        }
    }

    private void refuse(PeerId peer, String why) {
        inbox.put(new Event.Refused(peer, HeadraceException.peerLost(peer.rank(), why)));
    }

    private void sent(long token) {
        if (token != 0 && listener != null) {
            listener.onSent(token);
        }
    }

    private TransportListener listener() {
        return Objects.requireNonNull(listener, "the transport was not started");
    }
}
