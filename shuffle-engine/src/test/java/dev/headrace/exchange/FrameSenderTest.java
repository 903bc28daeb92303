package dev.headrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.memory.Clock;
import dev.headrace.memory.Deadline;
import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.MemoryTier;
import dev.headrace.memory.SharedRegion;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistics;
import dev.headrace.spill.FileSpillStore;
import dev.headrace.spill.SpillStore;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every grant is used or given back, so that the peer never keeps memory for a frame that will not come. */
final class FrameSenderTest {
    private static final int SLAB = 4096;
    private static final int SLABS = 16;
    private static final long WIRE_ID = 7;

    @TempDir
    Path folder;

    private final PeerId peer = new PeerId(1, 1);
    private final Arena arena = Arena.ofShared();
    private final RecordingTransport transport = new RecordingTransport();
    private final Links links = new Links(transport, Message.buffer(arena));
    private final Inboxes inboxes = new Inboxes();
    private final Statistics statistics = new Statistics();
    private final AtomicLong onTheirWay = new AtomicLong();
    private final PeerLink link = new PeerLink(peer, SLAB);
    /** What would run on the spill thread. */
    private final Queue<Runnable> spillThread = new ArrayDeque<>();

    private final FrameSender sender = new FrameSender(links, inboxes, statistics, command -> {
        command.run();
        return true;
    });
    private SharedRegion region;
    private SlabPool pool;
    private SpillStore disk;
    private Inbox inbox;
    private Outbox outbox;

    @BeforeEach
    void open() {
        long bytes = (long) SLABS * SLAB;
        region = SharedRegion.create(bytes);
        pool = new SlabPool(region, SLAB, new SlabPool.SetAside(0, 0, 1), new MemoryBudget(MemoryTier.HOST, bytes));
        disk = new FileSpillStore(List.of(folder), new MemoryBudget(MemoryTier.DISK, Long.MAX_VALUE));
        outbox = new Outbox(pool, disk, spillThread::add, statistics, sender, onTheirWay::get);
        Deadline never = Deadline.after(Duration.ofHours(1), Clock.system());
        Regrouper regrouper = new Regrouper(pool, disk, SLAB, 1024, statistics);
        inbox = new Inbox(WIRE_ID, 0, new Owners(2, 2), never, regrouper, statistics);
        inboxes.add(inbox);
        links.put(link);
        link.markConnected();
    }

    @AfterEach
    void close() {
        link.close();
        inbox.close();
        assertThat(onTheirWay).as("bytes of frames that are not closed").hasValue(0);
        disk.close();
        pool.close();
        region.close();
        arena.close();
    }

    private void queue(long bytes) {
        sender.queue(
                new OutFrame(1, WIRE_ID, pool.acquire(SlabPool.Use.PACK, bytes, Duration.ZERO), bytes, onTheirWay));
    }

    private OutFrame takeAway() {
        CompletableFuture<Optional<OutFrame>> asked = new CompletableFuture<>();
        assertThat(sender.takeSpillable(asked, outbox)).isTrue();
        return asked.join().orElseThrow();
    }

    private void runSpillThread() {
        while (!spillThread.isEmpty()) {
            spillThread.remove().run();
        }
    }

    @Test
    void shouldGiveBackAGrantForARunThatIsNoLongerQueued() {
        queue(3 * SLAB);
        queue(5 * SLAB);
        OutFrame away = takeAway();
        sender.granted(link, 2 * SLAB, 1, outbox);
        sender.returnFrame(away, outbox);

        assertThat(transport.sent)
                .containsExactly(
                        new Message.Want(3 * SLAB), new Message.Want(5 * SLAB), new Message.Decline(2 * SLAB, 1));
    }

    @Test
    void shouldSendAFrameThatWasGrantedWhileItMovedAsSoonAsItIsBack() {
        queue(SLAB);
        OutFrame away = takeAway();
        sender.granted(link, SLAB, 1, outbox);
        assertThat(transport.sent).containsExactly(new Message.Want(SLAB));
        away.movedTo(disk.write(away.segment()));
        sender.returnFrame(away, outbox);
        runSpillThread();

        assertThat(transport.sent).containsExactly(new Message.Want(SLAB), new Message.Data(WIRE_ID, 1));
    }

    @Test
    void shouldGiveTheGrantBackWhenTheShuffleEndsWhileTheFrameMoves() {
        queue(SLAB);
        OutFrame away = takeAway();
        sender.granted(link, SLAB, 1, outbox);
        inboxes.close(WIRE_ID);
        sender.returnFrame(away, outbox);

        assertThat(transport.sent).containsExactly(new Message.Want(SLAB), new Message.Decline(SLAB, 1));
    }

    @Test
    void shouldGiveTheGrantBackWhenTheShuffleEndsWhileTheFrameIsReadBack() {
        queue(SLAB);
        OutFrame away = takeAway();
        away.movedTo(disk.write(away.segment()));
        sender.returnFrame(away, outbox);
        sender.granted(link, SLAB, 1, outbox);
        inboxes.close(WIRE_ID);
        runSpillThread();

        assertThat(transport.sent).containsExactly(new Message.Want(SLAB), new Message.Decline(SLAB, 1));
    }

    /** Keeps what would travel; nothing arrives anywhere. */
    private static final class RecordingTransport implements Transport {
        private final List<Message> sent = new ArrayList<>();

        @Override
        public void send(PeerId to, MemorySegment header, @Nullable MemorySegment body, long token) {
            sent.add(Message.read(header));
        }

        @Override
        public byte[] address() {
            return new byte[0];
        }

        @Override
        public void start(TransportListener listener) {}

        @Override
        public void connect(PeerId to, byte[] address) {}

        @Override
        public void disconnect(PeerId from) {}

        @Override
        public int progress() {
            return 0;
        }

        @Override
        public void await(long timeoutNanos) {
            throw new IllegalStateException("nobody waits for it");
        }

        @Override
        public void wakeUp() {}

        @Override
        public void close() {}
    }
}
