package dev.headrace.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.HeadraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One rank as a test plays it: a transport, the thread that owns it, and everything that the transport told. Bodies and
 * headers are made by {@link Pattern} and checked byte for byte as they arrive.
 */
public final class TestRank implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What came, in the order in which it came. */
    public record Loss(PeerId peer, HeadraceException cause, long nanos) {}

    private final PeerId self;
    private final Transport transport;
    private final MemorySource memory;
    private final Thread thread;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Recorder recorder = new Recorder();
    private volatile boolean closing;
    private volatile @Nullable Throwable failure;

    final Set<PeerId> connected = ConcurrentHashMap.newKeySet();
    final List<Loss> losses = new CopyOnWriteArrayList<>();
    final Map<Long, Integer> tokens = new ConcurrentHashMap<>();
    final AtomicInteger messages = new AtomicInteger();
    final AtomicInteger bodies = new AtomicInteger();
    final AtomicInteger failedLandings = new AtomicInteger();
    final AtomicInteger openLandings = new AtomicInteger();
    final AtomicLong bodyBytes = new AtomicLong();
    final List<String> damage = new CopyOnWriteArrayList<>();
    volatile boolean refuseBodies;
    volatile long landingShortageBytes;

    /** Where a rank takes memory for bodies from. */
    public interface MemorySource {
        MemorySegment allocate(long bytes);
    }

    TestRank(PeerId self, Transport transport, MemorySource memory) {
        this.self = self;
        this.transport = transport;
        this.memory = memory;
        this.thread = Thread.ofPlatform()
                .name("rank-" + self.rank() + "-" + self.incarnation())
                .start(this::run);
    }

    /** A rank whose bodies lie wherever there is room. */
    public static TestRank open(PeerId self, Transport transport) {
        return new TestRank(self, transport, bytes -> Arena.ofAuto().allocate(bytes, 64));
    }

    public PeerId self() {
        return self;
    }

    public Transport transport() {
        return transport;
    }

    /** Bodies that have landed whole, or were refused. */
    public int bodies() {
        return bodies.get();
    }

    /** Losses reported so far. */
    public List<Loss> losses() {
        return losses;
    }

    MemorySegment memory(long bytes) {
        return memory.allocate(bytes);
    }

    /** Connects both ways, this side first, and waits for both. */
    public void join(TestRank peer) {
        connect(peer);
        peer.connect(this);
        awaitConnected(peer);
        peer.awaitConnected(this);
    }

    public void connect(TestRank peer) {
        on(owned -> owned.connect(peer.self(), peer.transport().address()));
    }

    public void awaitConnected(TestRank peer) {
        await("connection of " + self + " to " + peer.self(), () -> connected.contains(peer.self()));
    }

    public Loss awaitLoss(PeerId peer) {
        await(
                "loss of " + peer + " at " + self,
                () -> losses.stream().anyMatch(loss -> loss.peer().equals(peer)));
        return losses.stream()
                .filter(loss -> loss.peer().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    /** Sends a message of a pattern that the receiver checks. */
    public void send(PeerId peer, long seed, int headerBytes, long bodyLength, long token) {
        MemorySegment header = Pattern.header(seed, headerBytes);
        MemorySegment body = bodyLength < 0 ? null : Pattern.fill(memory(bodyLength), seed);
        on(owned -> owned.send(peer, header, body, token));
    }

    /** Runs on the owner thread and waits for the end of it. */
    public void on(Consumer<Transport> command) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        commands.add(() -> {
            try {
                command.accept(transport);
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        transport.wakeUp();
        try {
            done.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError("the owner thread of " + self + " did not answer", e);
        }
    }

    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited " + PATIENCE + " in vain for: " + what);
            }
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(200_000);
        }
    }

    /** Nothing arrived damaged and the owner thread never failed. */
    void assertSound() {
        assertThat(damage).isEmpty();
        Throwable cause = failure;
        if (cause != null) {
            throw new AssertionError("the owner thread of " + self + " failed", cause);
        }
    }

    @Override
    public void close() {
        closing = true;
        transport.wakeUp();
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new AssertionError("the owner thread of " + self + " did not end");
        }
        assertSound();
    }

    private void run() {
        try (transport) {
            transport.start(recorder);
            while (!closing) {
                int done = 0;
                for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                    command.run();
                    done++;
                }
                done += transport.progress();
                if (done == 0 && !closing && commands.isEmpty()) {
                    transport.await(TimeUnit.MILLISECONDS.toNanos(200));
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private final class Recorder implements TransportListener {
        @Override
        public void onConnected(PeerId peer) {
            connected.add(peer);
        }

        @Override
        public void onMessage(PeerId from, MemorySegment header) {
            check(header, "header of a message from " + from);
            messages.incrementAndGet();
        }

        @Override
        public @Nullable Landing onBody(PeerId from, MemorySegment header, long length) {
            check(header, "header of a body from " + from);
            if (refuseBodies) {
                bodies.incrementAndGet();
                return null;
            }
            long seed = header.byteSize() < Long.BYTES ? 0 : header.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
            MemorySegment target = memory.allocate(Math.max(0, length - landingShortageBytes));
            openLandings.incrementAndGet();
            return new CheckedLanding(from, target, seed, length);
        }

        @Override
        public void onSent(long token) {
            tokens.merge(token, 1, Integer::sum);
        }

        @Override
        public void onPeerLost(PeerId peer, HeadraceException cause) {
            connected.remove(peer);
            losses.add(new Loss(peer, cause, System.nanoTime()));
        }

        private void check(MemorySegment header, String what) {
            String found = Pattern.headerDamage(header);
            if (found != null) {
                damage.add(what + ": " + found);
            }
        }
    }

    private final class CheckedLanding implements TransportListener.Landing {
        private final PeerId from;
        private final MemorySegment target;
        private final long seed;
        private final long length;
        private boolean answered;

        CheckedLanding(PeerId from, MemorySegment target, long seed, long length) {
            this.from = from;
            this.target = target;
            this.seed = seed;
            this.length = length;
        }

        @Override
        public MemorySegment segment() {
            return target;
        }

        @Override
        public void landed() {
            answer();
            String found = Pattern.damage(target.asSlice(0, length), seed);
            if (found != null) {
                damage.add("body from " + from + ": " + found);
            }
            bodyBytes.addAndGet(length);
            bodies.incrementAndGet();
        }

        @Override
        public void failed(HeadraceException cause) {
            answer();
            failedLandings.incrementAndGet();
        }

        private void answer() {
            if (answered) {
                damage.add("a landing for " + from + " was answered twice");
            }
            answered = true;
            openLandings.decrementAndGet();
        }
    }
}
