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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shuffle protocol of one rank: sends frames to their owners when those have room, lands what peers send, and hands
 * it to the inbox of its shuffle. Owns the transport and, through its links, every frame and landing under way.
 *
 * <p>Public methods may be called from any thread; they leave a command for the progress thread, which runs everything
 * else. A failure on the progress thread poisons every shuffle of this rank.
 */
public final class Exchange implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private static final long IDLE_NANOS = 100_000_000L;

    /** How soon to look again for memory that a landing waits for: about the time that one slab takes to drain. */
    private static final long STARVED_NANOS = 500_000L;

    private final int self;
    private final Transport transport;
    private final long slabBytes;
    private final Statistics statistics;
    private final Arena arena = Arena.ofShared();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Inboxes inboxes = new Inboxes();
    private final AtomicLong onTheirWay = new AtomicLong();
    private final Links links;
    private final FrameSender sender;
    private final FrameReceiver receiver;
    private final Outbox outbox;
    private final Peers peers;
    private final Thread thread;
    private volatile boolean stopping;

    /**
     * Takes over the transport and starts the progress thread.
     *
     * @param spillThread runs one task at a time; frames are written and read back there
     */
    public Exchange(
            int self,
            int ranks,
            Transport transport,
            SlabPool pool,
            SpillStore disk,
            Executor spillThread,
            Statistics statistics) {
        this.self = self;
        this.transport = transport;
        this.slabBytes = pool.slabBytes();
        this.statistics = statistics;
        this.links = new Links(transport, Message.buffer(arena));
        this.sender = new FrameSender(links, inboxes, statistics, this::command);
        this.receiver = new FrameReceiver(self, links, inboxes, pool, statistics, this::command);
        this.outbox = new Outbox(pool, disk, spillThread, statistics, sender, onTheirWay::get);
        this.peers = new Peers(self, ranks);
        this.thread = Thread.ofPlatform().name("headrace-progress-" + self).unstarted(this::run);
        thread.start();
    }

    /** Which peers are connected; waits on it. */
    public Peers peers() {
        return peers;
    }

    /** What waits for peers to take it, for the spiller. */
    public Spillable outbox() {
        return outbox;
    }

    /** Bytes of all frames that were sent and are not acknowledged. */
    public long bytesOnTheirWay() {
        return onTheirWay.get();
    }

    /** Begins to connect to a peer; a new incarnation replaces the old one. */
    public void connect(PeerId peer, byte[] address) {
        peers.expect(peer.rank());
        command(() -> {
            PeerLink old = links.remove(peer.rank());
            if (old != null) {
                transport.disconnect(old.peer());
                drop(old, HeadraceException.peerLost(peer.rank(), "rank " + peer.rank() + " was replaced"));
            }
            links.put(new PeerLink(peer, slabBytes));
            transport.connect(peer, address);
        });
    }

    /**
     * Makes the inbox known, so that frames find it; INVALID_INPUT if the wire id was used before. The inbox stays the
     * caller's.
     */
    public void open(Inbox inbox) {
        inboxes.add(inbox);
    }

    /** Queues a sealed frame for another rank; takes over the slab, whose first {@code bytes} are the frame. */
    public void send(int owner, long wireId, Slab slab, long bytes) {
        OutFrame frame = new OutFrame(owner, wireId, slab, bytes, onTheirWay);
        if (!command(() -> sender.queue(frame))) {
            frame.close();
        }
    }

    /** Fails the shuffle here and tells every peer. */
    public void abort(long wireId, HeadraceException cause) {
        Inbox inbox = inboxes.get(wireId);
        if (inbox != null) {
            inbox.fail(cause);
        }
        command(() -> {
            for (PeerLink link : links.all()) {
                link.dropQueued(wireId);
                if (link.isConnected()) {
                    links.tell(link, Message.Abort.of(wireId, cause));
                }
            }
        });
    }

    /** Forgets the shuffle; what still arrives for it is dropped and acknowledged. Does not close the inbox. */
    public void close(long wireId) {
        inboxes.close(wireId);
        command(() -> links.all().forEach(link -> link.dropQueued(wireId)));
    }

    /** Fails every open shuffle of this rank, here and at its peers. */
    public void failAll(HeadraceException cause) {
        inboxes.all().forEach(inbox -> abort(inbox.wireId(), cause));
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
            transport.start(new Listener());
            while (!stopping) {
                long start = System.nanoTime();
                int work = runCommands() + transport.progress() + receiver.grant();
                inboxes.all().forEach(Inbox::checkDeadline);
                if (work > 0) {
                    statistics.add(Statistic.EXCHANGE_TIME, System.nanoTime() - start);
                } else {
                    transport.await(receiver.isStarved() ? STARVED_NANOS : IDLE_NANOS);
                }
            }
        } catch (RuntimeException | Error e) {
            LOG.error("rank {}: progress thread failed", self, e);
            HeadraceException cause = e instanceof HeadraceException known
                    ? known
                    : HeadraceException.internal("progress thread of rank " + self + " failed: " + e, e);
            inboxes.poison(cause);
            peers.fail(cause);
        } finally {
            end();
        }
    }

    /** Connections go first, so that nothing reads the frames that are then closed. */
    private void end() {
        stopping = true;
        try {
            transport.close();
        } finally {
            runCommands();
            links.all().forEach(PeerLink::close);
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

    private void drop(PeerLink link, HeadraceException cause) {
        sender.forget(link);
        link.close();
        inboxes.failAll(cause);
    }

    @Override
    public void close() {
        stopping = true;
        transport.wakeUp();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        inboxes.poison(HeadraceException.invalidInput("the engine of rank " + self + " was closed"));
    }

    private final class Listener implements TransportListener {
        @Override
        public void onConnected(PeerId peer) {
            PeerLink link = links.of(peer);
            if (link != null) {
                link.markConnected();
                sender.connected(link);
                peers.connected(peer.rank());
            }
        }

        @Override
        public void onMessage(PeerId from, MemorySegment header) {
            PeerLink link = links.of(from);
            if (link == null) {
                return;
            }
            switch (Message.read(header)) {
                case Message.Want(long bytes) -> link.want(bytes);
                case Message.Grant(long bytes, int count) -> sender.granted(link, bytes, count, outbox);
                case Message.Decline(long bytes, int count) -> receiver.declined(link, bytes, count);
                case Message.Receipt(long number) -> sender.receipt(link, number);
                case Message.Abort abort -> aborted(link, abort);
                case Message.Data data ->
                    throw HeadraceException.corruptData(
                            "rank " + from.rank() + " sent frame " + data.sequence() + " without a body");
            }
        }

        private void aborted(PeerLink link, Message.Abort abort) {
            Inbox inbox = inboxes.get(abort.wireId());
            if (inbox != null) {
                inbox.fail(abort.toException());
            }
            link.dropQueued(abort.wireId());
        }

        @Override
        public @Nullable Landing onBody(PeerId from, MemorySegment header, long bodyBytes) {
            PeerLink link = links.of(from);
            return link != null && Message.read(header) instanceof Message.Data data
                    ? receiver.land(link, data, bodyBytes)
                    : null;
        }

        @Override
        public void onSent(long token) {
            sender.sent(token);
        }

        @Override
        public void onPeerLost(PeerId peer, HeadraceException cause) {
            PeerLink link = links.of(peer);
            if (link != null) {
                statistics.add(Statistic.PEERS_LOST, 1);
                links.remove(peer.rank());
                peers.lost(peer.rank(), cause);
                drop(link, cause);
            }
        }
    }
}
