package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.spill.SpillStore;
import dev.headrace.spill.Spillable;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shuffle protocol of one rank: sends frames to their owners when those have room, lands what peers send, and hands
 * it to the inbox of its shuffle. Owns the transport and, through its links, every frame and landing under way.
 *
 * <p>Public methods may be called from any thread; they leave a command for the progress thread, which runs everything
 * else. A failure on the progress thread poisons every open shuffle of this rank.
 */
public final class Exchange implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    /** Landings that one peer may hold unused at a time, so that a slow sender can't hoard the pool. */
    private static final int MAX_LANDINGS = 4;

    private static final long IDLE_NANOS = 100_000_000L;

    /** How soon to look again for memory that a landing waits for: about the time that one slab takes to drain. */
    private static final long STARVED_NANOS = 500_000L;

    private final PeerId self;
    private final Transport transport;
    private final SlabPool pool;
    private final long slabBytes;
    private final Statistics statistics;
    private final Listener listener = new Listener();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment header = Message.buffer(arena);
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Map<Long, Inbox> inboxes = new ConcurrentHashMap<>();
    private final Roaring64Bitmap closed = new Roaring64Bitmap();
    private final Map<Integer, PeerLink> links = new HashMap<>();
    private final Map<Long, PeerLink> linkOfToken = new HashMap<>();
    private final Peers peers;
    private final Outbox outbox;
    private final AtomicLong onTheirWay = new AtomicLong();
    private final Thread thread;
    private long sequence;
    private int firstToGrant;
    private boolean starved;
    private volatile boolean stopping;
    private volatile @Nullable HeadraceException poison;

    /**
     * Takes over the transport and starts the progress thread.
     *
     * @param spillThread runs one task at a time; frames are written and read back there
     */
    public Exchange(
            PeerId self,
            int ranks,
            Transport transport,
            SlabPool pool,
            long slabBytes,
            SpillStore disk,
            Executor spillThread,
            Statistics statistics) {
        this.self = self;
        this.transport = transport;
        this.pool = pool;
        this.slabBytes = slabBytes;
        this.statistics = statistics;
        this.peers = new Peers(self.rank(), ranks);
        this.outbox = new Outbox(
                pool,
                disk,
                spillThread,
                statistics,
                this::takeSpillable,
                frame -> orClose(frame, () -> putBack(frame)),
                onTheirWay::get);
        this.thread = Thread.ofPlatform().name("headrace-progress-" + self.rank()).unstarted(this::run);
        transport.start(listener);
        thread.start();
    }

    /** Which peers are connected; waits on it. */
    public Peers peers() {
        return peers;
    }

    public void connect(PeerId peer, byte[] address) {
        command(() -> {
            PeerLink old = links.remove(peer.rank());
            if (old != null) {
                transport.disconnect(old.peer());
                drop(old, HeadraceException.peerLost(peer.rank(), "rank " + peer.rank() + " was replaced"));
            }
            links.put(peer.rank(), new PeerLink(peer, slabBytes));
            peers.expect(peer.rank());
            transport.connect(peer, address);
        });
    }

    /** Makes the inbox known, so that frames find it; fails if the wire id was used before. */
    public void open(Inbox inbox) {
        HeadraceException cause = poison;
        if (cause != null) {
            throw cause;
        }
        if (isClosed(inbox.wireId()) || inboxes.putIfAbsent(inbox.wireId(), inbox) != null) {
            throw HeadraceException.invalidInput("shuffle " + inbox.wireId() + " was opened before");
        }
    }

    /** Queues a sealed frame for another rank; takes over the slab, whose first {@code bytes} are the frame. */
    public void send(int owner, long wireId, Slab slab, long bytes) {
        OutFrame frame = new OutFrame(owner, wireId, slab, bytes, onTheirWay);
        if (!command(() -> queue(frame))) {
            frame.close();
        }
    }

    /** Fails the shuffle here and tells every peer. */
    public void abort(long wireId, HeadraceException cause) {
        Inbox inbox = inboxes.get(wireId);
        if (inbox != null) {
            inbox.fail(cause);
        }
        command(() -> tellAbort(wireId, cause));
    }

    /** Forgets the shuffle; what still arrives for it is dropped and acknowledged. Does not close the inbox. */
    public void close(long wireId) {
        inboxes.remove(wireId);
        synchronized (closed) {
            closed.add(wireId);
        }
        command(() -> links.values().forEach(link -> link.dropQueued(wireId)));
    }

    /** Fails every open shuffle of this rank, here and at its peers. */
    public void failAll(HeadraceException cause) {
        inboxes.keySet().forEach(wireId -> abort(wireId, cause));
    }

    /** What waits for peers to take it, for the spiller. */
    public Spillable outbox() {
        return outbox;
    }

    /** Bytes of all frames that were sent and are not acknowledged. */
    public long bytesOnTheirWay() {
        return onTheirWay.get();
    }

    private boolean isClosed(long wireId) {
        synchronized (closed) {
            return closed.contains(wireId);
        }
    }

    private boolean command(Runnable command) {
        if (stopping) {
            return false;
        }
        commands.add(command);
        transport.wakeUp();
        return true;
    }

    // The progress thread

    private void run() {
        try {
            while (!stopping) {
                int work = runCommands() + transport.progress() + grant();
                for (Inbox inbox : inboxes.values()) {
                    inbox.checkDeadline();
                }
                if (work == 0) {
                    transport.await(starved ? STARVED_NANOS : IDLE_NANOS);
                }
            }
        } catch (Throwable e) {
            LOG.error("rank {}: progress thread failed", self.rank(), e);
            HeadraceException cause = e instanceof HeadraceException known
                    ? known
                    : HeadraceException.internal("progress thread of rank " + self.rank() + " failed: " + e, e);
            poison = cause;
            inboxes.values().forEach(inbox -> inbox.fail(cause));
            peers.fail(cause);
        } finally {
            stopping = true;
            runCommands();
            links.values().forEach(link -> transport.disconnect(link.peer()));
            transport.close();
            links.values().forEach(PeerLink::close);
            arena.close();
        }
    }

    private int runCommands() {
        int count = 0;
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
            count++;
        }
        return count;
    }

    private void queue(OutFrame frame) {
        PeerLink link = linkOf(frame);
        if (link != null) {
            link.queue(frame);
            if (link.isConnected()) {
                tell(link, new Message.Want(frame.bytes()));
            }
        }
    }

    /** The link that the frame is to travel on, or null after closing the frame if nobody needs it any more. */
    private @Nullable PeerLink linkOf(OutFrame frame) {
        PeerLink link = links.get(frame.owner());
        Inbox inbox = inboxes.get(frame.wireId());
        if (link != null && inbox != null && !inbox.isFailed()) {
            return link;
        }
        frame.close();
        if (inbox != null) {
            inbox.fail(HeadraceException.peerLost(frame.owner(), "rank " + frame.owner() + " is not connected"));
        }
        return null;
    }

    private boolean takeSpillable(CompletableFuture<Optional<OutFrame>> asked) {
        return command(() -> {
            for (PeerLink link : links.values()) {
                OutFrame frame = link.takeSpillable();
                if (frame != null) {
                    link.addAway();
                    if (!asked.complete(Optional.of(frame))) {
                        putBack(frame);
                    }
                    return;
                }
            }
            asked.complete(Optional.empty());
        });
    }

    private void putBack(OutFrame frame) {
        PeerLink link = linkOf(frame);
        if (link == null) {
            return;
        }
        if (link.isBack()) {
            send(link, frame);
        } else {
            link.queue(frame);
        }
    }

    private void tell(PeerLink link, Message message) {
        transport.send(link.peer(), message.writeTo(header), null, 0);
    }

    private void tellAbort(long wireId, HeadraceException cause) {
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        Message abort = new Message.Abort(wireId, cause.category(), cause.action(), cause.rank(), text);
        for (PeerLink link : links.values()) {
            link.dropQueued(wireId);
            if (link.isConnected()) {
                tell(link, abort);
            }
        }
    }

    /** Reserves landings for what peers want to send, one each in turn, and grants them. */
    private int grant() {
        starved = false;
        int granted = 0;
        List<PeerLink> order = new ArrayList<>(links.values());
        for (int turn = 0; turn < order.size() && !starved; turn++) {
            PeerLink link = order.get((firstToGrant + turn) % order.size());
            long bytes = link.nextWanted(MAX_LANDINGS);
            if (bytes == 0) {
                continue;
            }
            Slab slab = pool.tryAcquire(SlabPool.Use.LAND, bytes);
            if (slab == null) {
                starved = true;
                firstToGrant = (firstToGrant + turn) % order.size();
                break;
            }
            link.addLanding(slab, bytes);
            tell(link, new Message.Grant(bytes, 1));
            statistics.add(Statistic.CREDIT_GRANTED, bytes);
            granted++;
        }
        if (!starved && !order.isEmpty()) {
            firstToGrant = (firstToGrant + 1) % order.size();
        }
        return granted;
    }

    private void send(PeerLink link, OutFrame frame) {
        if (frame.inMemory()) {
            transmit(link, frame);
            return;
        }
        outbox.restore(
                frame,
                () -> orClose(frame, () -> {
                    if (linkOf(frame) == link) {
                        transmit(link, frame);
                    } else {
                        frame.close();
                    }
                }),
                e -> orClose(frame, () -> {
                    frame.close();
                    abort(frame.wireId(), HeadraceException.internal("a frame can't be read back: " + e, e));
                }));
    }

    private void orClose(OutFrame frame, Runnable command) {
        if (!command(command)) {
            frame.close();
        }
    }

    private void transmit(PeerLink link, OutFrame frame) {
        long number = ++sequence;
        link.markUnderWay(number, frame);
        linkOfToken.put(number, link);
        MemorySegment data = new Message.Data(frame.wireId(), number).writeTo(header);
        transport.send(link.peer(), data, frame.segment(), number);
        statistics.add(Statistic.CREDIT_USED, frame.bytes());
        statistics.add(Statistic.SENT, frame.bytes());
        statistics.add(Statistic.FRAMES_SENT, 1);
    }

    private void granted(PeerLink link, long bytes, int count) {
        int unused = 0;
        for (int i = 0; i < count; i++) {
            OutFrame frame = link.takeQueued(bytes);
            if (frame == null) {
                unused += link.owe() ? 0 : 1;
            } else {
                send(link, frame);
            }
        }
        if (unused > 0) {
            tell(link, new Message.Decline(bytes, unused));
        }
    }

    private void drop(PeerLink link, HeadraceException cause) {
        linkOfToken.values().removeIf(other -> other == link);
        link.close();
        inboxes.values().forEach(inbox -> inbox.fail(cause));
    }

    private @Nullable PeerLink linkOf(PeerId peer) {
        PeerLink link = links.get(peer.rank());
        return link != null && link.peer().equals(peer) ? link : null;
    }

    /** A frame arrived whole in a slab that this exchange owns; the sender is told in any case. */
    private void landed(PeerId from, Message.Data data, Slab slab, long bytes) {
        Inbox inbox = inboxes.get(data.wireId());
        if (inbox != null) {
            statistics.add(Statistic.RECEIVED, bytes);
            inbox.accept(from.rank(), slab, bytes);
        } else {
            slab.close();
            if (!isClosed(data.wireId())) {
                refuse(from, data.wireId());
            }
        }
        PeerLink link = linkOf(from);
        if (link != null) {
            tell(link, new Message.Receipt(data.sequence()));
        }
    }

    private void refuse(PeerId from, long wireId) {
        HeadraceException cause = HeadraceException.invalidInput("rank " + self.rank() + " got a frame for shuffle "
                + wireId + " from rank " + from.rank() + ", but that shuffle was never opened there");
        LOG.warn(cause.getMessage());
        PeerLink link = linkOf(from);
        if (link != null) {
            tell(
                    link,
                    new Message.Abort(
                            wireId, cause.category(), cause.action(), cause.rank(), String.valueOf(cause.getMessage())));
        }
    }

    @Override
    public void close() {
        stopping = true;
        transport.wakeUp();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        inboxes.values().forEach(inbox -> inbox.fail(HeadraceException.internal("engine was closed", new IllegalStateException("closed"))));
    }

    private final class Listener implements TransportListener {
        @Override
        public void onConnected(PeerId peer) {
            PeerLink link = linkOf(peer);
            if (link != null) {
                link.markConnected();
                link.queuedFrames().forEach(frame -> tell(link, new Message.Want(frame.bytes())));
                peers.connected(peer.rank());
            }
        }

        @Override
        public void onMessage(PeerId from, MemorySegment bytes) {
            PeerLink link = linkOf(from);
            if (link == null) {
                return;
            }
            switch (Message.read(bytes)) {
                case Message.Want(long wanted) -> link.want(wanted);
                case Message.Grant(long granted, int count) -> granted(link, granted, count);
                case Message.Decline(long declined, int count) -> {
                    for (int i = 0; i < count; i++) {
                        Slab slab = link.takeLanding(declined);
                        if (slab != null) {
                            slab.close();
                        }
                    }
                }
                case Message.Receipt(long number) -> {
                    OutFrame frame = link.underWay(number);
                    if (frame != null && frame.acknowledge()) {
                        link.finish(number);
                    }
                }
                case Message.Abort abort -> {
                    Inbox inbox = inboxes.get(abort.wireId());
                    if (inbox != null) {
                        inbox.fail(abort.toException());
                    }
                    link.dropQueued(abort.wireId());
                }
                case Message.Data data ->
                    throw HeadraceException.corruptData(
                            "rank " + from.rank() + " sent frame " + data.sequence() + " without a body");
            }
        }

        @Override
        public @Nullable Landing onBody(PeerId from, MemorySegment bytes, long bodyBytes) {
            PeerLink link = linkOf(from);
            if (link == null || !(Message.read(bytes) instanceof Message.Data data)) {
                return null;
            }
            Slab slab = link.takeLanding(bodyBytes);
            if (slab == null) {
                Inbox inbox = inboxes.get(data.wireId());
                if (inbox != null) {
                    inbox.fail(HeadraceException.corruptData("rank " + from.rank() + " sent a frame of " + bodyBytes
                            + " bytes that it had no credit for"));
                }
                return null;
            }
            return new FrameLanding(from, data, slab, bodyBytes);
        }

        @Override
        public void onSent(long token) {
            PeerLink link = linkOfToken.remove(token);
            OutFrame frame = link == null ? null : link.underWay(token);
            if (link != null && frame != null && frame.markSent()) {
                link.finish(token);
            }
        }

        @Override
        public void onPeerLost(PeerId peer, HeadraceException cause) {
            PeerLink link = linkOf(peer);
            if (link != null) {
                statistics.add(Statistic.PEERS_LOST, 1);
                links.remove(peer.rank());
                drop(link, cause);
                peers.lost(peer.rank(), cause);
            }
        }
    }

    private final class FrameLanding implements TransportListener.Landing {
        private final PeerId from;
        private final Message.Data data;
        private final Slab slab;
        private final long bytes;

        FrameLanding(PeerId from, Message.Data data, Slab slab, long bytes) {
            this.from = from;
            this.data = data;
            this.slab = slab;
            this.bytes = bytes;
        }

        @Override
        public MemorySegment segment() {
            return slab.segment().asSlice(0, bytes);
        }

        @Override
        public void landed() {
            Exchange.this.landed(from, data, slab, bytes);
        }

        @Override
        public void failed(HeadraceException cause) {
            slab.close();
        }
    }
}
