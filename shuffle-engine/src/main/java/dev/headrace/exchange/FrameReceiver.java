package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving half of the protocol: reserves a landing before it grants, one for each peer in turn, and hands what
 * landed to its inbox. Progress thread only.
 */
final class FrameReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(FrameReceiver.class);

    /** Landings that one peer may hold unused at a time, so that a slow sender can't hoard the pool. */
    private static final int MAX_LANDINGS = 4;

    /** A run comes when all that lies in its place was sent or spilled. */
    private static final Duration RUN_PATIENCE = Duration.ofMinutes(2);

    private final int self;
    private final Links links;
    private final Inboxes inboxes;
    private final SlabPool pool;
    private final Statistics statistics;
    private final Predicate<Runnable> commands;
    private int firstToGrant;
    private boolean starved;

    /** @param commands runs something on the progress thread; false if that has ended */
    FrameReceiver(
            int self,
            Links links,
            Inboxes inboxes,
            SlabPool pool,
            Statistics statistics,
            Predicate<Runnable> commands) {
        this.self = self;
        this.links = links;
        this.inboxes = inboxes;
        this.pool = pool;
        this.statistics = statistics;
        this.commands = commands;
    }

    /** Whether a peer waits for memory that was not there at the last {@link #grant}. */
    boolean isStarved() {
        return starved;
    }

    /** Reserves one landing for each peer that wants to send, and grants it; gives how many. */
    int grant() {
        starved = false;
        int granted = 0;
        List<PeerLink> order = links.all();
        for (int turn = 0; turn < order.size(); turn++) {
            int at = (firstToGrant + turn) % order.size();
            PeerLink link = order.get(at);
            lookForRun(link);
            if (!link.wantsSlab(MAX_LANDINGS)) {
                continue;
            }
            Slab slab = pool.tryAcquire(SlabPool.Use.LAND, pool.slabBytes());
            if (slab == null) {
                starved = true;
                firstToGrant = at;
                return granted;
            }
            link.addLanding(slab);
            tellGrant(link, pool.slabBytes());
            granted++;
        }
        firstToGrant = order.isEmpty() ? 0 : (firstToGrant + 1) % order.size();
        return granted;
    }

    private void tellGrant(PeerLink link, long bytes) {
        links.tell(link, new Message.Grant(bytes, 1));
        statistics.add(Statistic.CREDIT_GRANTED_BYTES, bytes);
    }

    /**
     * Has a thread of its own wait for a run: only who waits can claim a window of slabs, and frames larger than a slab
     * are so rare that a thread each is cheap.
     */
    private void lookForRun(PeerLink link) {
        long bytes = link.takeWantedRun();
        if (bytes == 0) {
            return;
        }
        Thread.ofPlatform().daemon().name("headrace-run-" + self).start(() -> {
            try {
                Slab run = pool.acquire(SlabPool.Use.LAND, bytes, RUN_PATIENCE);
                if (!commands.test(() -> found(link, run, bytes))) {
                    run.close();
                }
            } catch (HeadraceException e) {
                if (!commands.test(() -> notFound(link, e))) {
                    LOG.debug("no run to land in, and nobody to tell", e);
                }
            } catch (IllegalStateException e) {
                LOG.debug("the pool was closed while a run was awaited", e);
            }
        });
    }

    private void found(PeerLink link, Slab run, long bytes) {
        if (links.of(link.peer()) == link) {
            link.addLandingRun(run);
            tellGrant(link, bytes);
        } else {
            run.close();
        }
    }

    private void notFound(PeerLink link, HeadraceException cause) {
        link.endSearch();
        inboxes.failAll(cause);
    }

    void declined(PeerLink link, long bytes, int count) {
        for (int i = 0; i < count; i++) {
            Slab slab = link.takeLanding(bytes);
            if (slab != null) {
                slab.close();
            }
        }
    }

    /** Where the body of a frame goes, or null to drop it. */
    TransportListener.@Nullable Landing land(PeerLink link, Message.Data data, long bytes) {
        Slab slab = link.takeLanding(bytes);
        if (slab != null) {
            return new FrameLanding(link.peer(), data, slab, bytes);
        }
        Inbox inbox = inboxes.get(data.wireId());
        if (inbox != null) {
            inbox.fail(HeadraceException.corruptData(
                    "rank " + link.peer().rank() + " sent a frame of " + bytes + " bytes that it had no credit for"));
        }
        return null;
    }

    /** A frame arrived whole; the sender is told in any case, so that it can let go. */
    private void landed(PeerId from, Message.Data data, Slab slab, long bytes) {
        Inbox inbox = inboxes.get(data.wireId());
        if (inbox != null) {
            statistics.add(Statistic.RECEIVED_BYTES, bytes);
            statistics.add(Statistic.FRAMES_RECEIVED, 1);
            inbox.accept(from, slab, bytes);
        } else {
            slab.close();
            if (!inboxes.isClosed(data.wireId())) {
                refuse(from, data.wireId());
            }
        }
        links.tell(from, new Message.Receipt(data.sequence()));
    }

    private void refuse(PeerId from, long wireId) {
        HeadraceException cause = HeadraceException.invalidInput("rank " + self + " got a frame for shuffle " + wireId
                + " from rank " + from.rank() + ", but that shuffle was never opened there");
        LOG.warn("{}", cause.getMessage());
        links.tell(from, Message.Abort.of(wireId, cause));
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
            FrameReceiver.this.landed(from, data, slab, bytes);
        }

        @Override
        public void failed(HeadraceException cause) {
            slab.close();
        }
    }
}
