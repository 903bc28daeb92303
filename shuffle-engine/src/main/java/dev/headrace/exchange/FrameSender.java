package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of the protocol: says what it wants to send, sends what was granted, and keeps every frame until its
 * owner has it. Progress thread only; commands bring other threads' work here.
 */
final class FrameSender {
    private final Links links;
    private final Inboxes inboxes;
    private final Statistics statistics;
    private final Predicate<Runnable> commands;
    private final Map<Long, PeerLink> linkOfToken = new HashMap<>();
    private long sequence;

    /** @param commands runs something on the progress thread; false if that has ended */
    FrameSender(Links links, Inboxes inboxes, Statistics statistics, Predicate<Runnable> commands) {
        this.links = links;
        this.inboxes = inboxes;
        this.statistics = statistics;
        this.commands = commands;
    }

    void queue(OutFrame frame) {
        PeerLink link = linkOf(frame);
        if (link != null) {
            link.queue(frame);
            if (link.isConnected()) {
                links.tell(link, new Message.Want(frame.bytes()));
            }
        }
    }

    /** The peer can be talked to: says what has waited for that. */
    void connected(PeerLink link) {
        link.queuedFrames().forEach(frame -> links.tell(link, new Message.Want(frame.bytes())));
    }

    /** The link that the frame is to travel on, or null after closing the frame if nobody needs it any more. */
    private @Nullable PeerLink linkOf(OutFrame frame) {
        PeerLink link = links.of(frame.owner());
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

    /** The peer has room for so many frames of at most so many bytes. */
    void granted(PeerLink link, long bytes, int count, Outbox outbox) {
        int unused = 0;
        for (int i = 0; i < count; i++) {
            OutFrame frame = link.takeQueued(bytes);
            if (frame != null) {
                send(link, frame, outbox);
            } else if (!link.owe(bytes)) {
                unused++;
            }
        }
        if (unused > 0) {
            links.tell(link, new Message.Decline(bytes, unused));
        }
    }

    private void send(PeerLink link, OutFrame frame, Outbox outbox) {
        if (frame.inMemory()) {
            transmit(link, frame);
            return;
        }
        Runnable transmit = () -> {
            if (linkOf(frame) == link) {
                transmit(link, frame);
            } else {
                decline(link, frame);
            }
        };
        outbox.restore(frame, () -> orClose(frame, transmit), e -> orClose(frame, () -> unreadable(link, frame, e)));
    }

    private void unreadable(PeerLink link, OutFrame frame, RuntimeException cause) {
        decline(link, frame);
        Inbox inbox = inboxes.get(frame.wireId());
        if (inbox != null) {
            inbox.fail(HeadraceException.internal("a frame can't be read back from disk: " + cause, cause));
        }
    }

    /** Drops a frame that was granted, and gives the grant back: the peer keeps memory for it. */
    private void decline(PeerLink link, OutFrame frame) {
        frame.close();
        links.tell(link.peer(), new Message.Decline(frame.bytes(), 1));
    }

    private void orClose(OutFrame frame, Runnable command) {
        if (!commands.test(command)) {
            frame.close();
        }
    }

    private void transmit(PeerLink link, OutFrame frame) {
        long number = ++sequence;
        link.markUnderWay(number, frame);
        linkOfToken.put(number, link);
        links.send(link, new Message.Data(frame.wireId(), number), frame.segment());
        statistics.add(Statistic.CREDIT_USED_BYTES, frame.bytes());
        statistics.add(Statistic.SENT_BYTES, frame.bytes());
        statistics.add(Statistic.FRAMES_SENT, 1);
    }

    /** The owner has the frame. */
    void receipt(PeerLink link, long number) {
        OutFrame frame = link.underWay(number);
        if (frame != null && frame.acknowledge()) {
            link.finish(number);
        }
    }

    /** The transport no longer reads the frame. */
    void sent(long number) {
        PeerLink link = linkOfToken.remove(number);
        OutFrame frame = link == null ? null : link.underWay(number);
        if (link != null && frame != null && frame.markSent()) {
            link.finish(number);
        }
    }

    void forget(PeerLink link) {
        linkOfToken.values().removeIf(other -> other == link);
    }

    // Frames that move to disk and back

    /** Any thread: asks for a queued frame in memory; false if the progress thread has ended. */
    boolean takeSpillable(CompletableFuture<Optional<OutFrame>> asked, Outbox outbox) {
        return commands.test(() -> {
            for (PeerLink link : links.all()) {
                OutFrame frame = link.takeSpillable();
                if (frame != null) {
                    link.addAway(frame);
                    if (!asked.complete(Optional.of(frame))) {
                        putBack(frame, outbox);
                    }
                    return;
                }
            }
            asked.complete(Optional.empty());
        });
    }

    /** Any thread: the frame is on disk, or could not be written. */
    void returnFrame(OutFrame frame, Outbox outbox) {
        orClose(frame, () -> putBack(frame, outbox));
    }

    private void putBack(OutFrame frame, Outbox outbox) {
        PeerLink link = links.of(frame.owner());
        boolean granted = link != null && link.isBack(frame);
        boolean wanted = linkOf(frame) != null;
        if (link == null) {
            return;
        }
        if (granted && wanted) {
            send(link, frame, outbox);
        } else if (granted) {
            decline(link, frame);
        } else if (wanted) {
            link.queue(frame);
        }
    }
}
