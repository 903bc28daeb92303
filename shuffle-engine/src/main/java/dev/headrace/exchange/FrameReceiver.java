package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.MemorySegment;
import java.util.List;
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

    private final int self;
    private final Links links;
    private final Inboxes inboxes;
    private final SlabPool pool;
    private final Statistics statistics;
    private int firstToGrant;
    private boolean starved;

    FrameReceiver(int self, Links links, Inboxes inboxes, SlabPool pool, Statistics statistics) {
        this.self = self;
        this.links = links;
        this.inboxes = inboxes;
        this.pool = pool;
        this.statistics = statistics;
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
            long bytes = link.nextWanted(MAX_LANDINGS);
            if (bytes == 0) {
                continue;
            }
            Slab slab = pool.tryAcquire(SlabPool.Use.LAND, bytes);
            if (slab == null) {
                starved = true;
                firstToGrant = at;
                return granted;
            }
            link.addLanding(slab, bytes);
            links.tell(link, new Message.Grant(bytes, 1));
            statistics.add(Statistic.CREDIT_GRANTED_BYTES, bytes);
            granted++;
        }
        firstToGrant = order.isEmpty() ? 0 : (firstToGrant + 1) % order.size();
        return granted;
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
            inbox.accept(from.rank(), slab, bytes);
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
