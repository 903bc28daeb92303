package dev.headrace.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.Category;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.TestRank;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What those without the key, and those who misuse it, can do to ranks that talk to each other: nothing. */
@Timeout(60)
final class StrangersTest {
    private static final Path UCX = UcxDirectory.require();

    private final JobKey key = JobKey.random();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private TestRank low = rank(0, 1, key);
    private TestRank high = rank(1, 1, key);

    @BeforeEach
    void joinRanks() {
        low.join(high);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @Test
    void shouldDropPeerWithWrongKeyFromEitherSide() {
        TestRank below = rank(-1, 1, JobKey.random());
        TestRank above = rank(2, 1, JobKey.random());

        below.connect(low);
        low.connect(below);
        above.connect(low);
        low.connect(above);

        assertThat(below.awaitLoss(low.self()).cause().category()).isEqualTo(Category.PEER_LOST);
        assertThat(above.awaitLoss(low.self()).cause().category()).isEqualTo(Category.PEER_LOST);
        low.awaitLoss(below.self());
        low.awaitLoss(above.self());
        TestRank.await("the count", () -> counts(low).strangers() >= 1);
        assertUndisturbed();
    }

    @Test
    void shouldDropVisitorThatSaysNothing() {
        try (Stranger stranger = new Stranger(low)) {
            stranger.run();
            TestRank.await("the silent stranger is gone", () -> {
                stranger.run();
                return stranger.failed();
            });
        }
        assertThat(counts(low).strangers()).isPositive();
        assertUndisturbed();
    }

    @Test
    void shouldDropVisitorThatForges() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        try (Stranger stranger = new Stranger(low)) {
            for (int i = 0; i < 40; i++) {
                byte[] noise = new byte[random.nextInt(6_000)];
                random.nextBytes(noise);
                stranger.send(random.nextBoolean() ? UcxWorker.SEALED : UcxWorker.HANDSHAKE, noise, null);
            }
            byte[] envelope = new byte[Envelope.BYTES];
            new Envelope(Envelope.Kind.BODY, 0, random.nextLong(), 1, 1 << 20, -1, 0).write(ByteBuffer.wrap(envelope));
            stranger.send(UcxWorker.SEALED, envelope, Arena.ofAuto().allocate(1 << 20));
            byte[] hello = new HandshakeKeys(JobKey.random())
                    .prove(
                            new HandshakeMessage.Hello(
                                    1, new PeerId(-5, 1), low.self(), new HandshakeMessage.Nonce(new byte[32])),
                            new byte[0]);
            stranger.send(UcxWorker.HANDSHAKE, hello, null);
            TestRank.await("the forger is gone", () -> {
                stranger.run();
                return stranger.failed();
            });
        }
        assertThat(counts(low).strangers()).isPositive();
        assertThat(counts(low).refusedMessages()).isPositive();
        assertUndisturbed();
    }

    @Test
    void shouldNotMindNoiseOnThePort() throws IOException {
        var socket = UcxAddress.decode(low.transport().address()).socket();
        byte[] noise = new byte[10_000];
        new Random(3).nextBytes(noise);
        for (int i = 0; i < 5; i++) {
            try (Socket raw = new Socket(socket.getAddress(), socket.getPort())) {
                OutputStream out = raw.getOutputStream();
                out.write(noise);
            } catch (IOException e) {
                // hung up on while it was still talking
            }
        }
        assertUndisturbed();
    }

    @Test
    void shouldSurviveLongPauseOfItsOwn() {
        // The peers give each other half a minute, this rank gives them 400 ms and then does not look for a second.
        UcxSettings patient = new UcxSettings(
                UCX, "lo", key, Duration.ofMillis(50), Duration.ofSeconds(30), Duration.ofSeconds(5), false);
        TestRank steady = rank(5, 1, patient);
        TestRank paused =
                rank(6, 1, UcxSettings.of(UCX, "lo", key, Duration.ofMillis(400), Duration.ofSeconds(5), false));
        steady.join(paused);

        paused.on(_ -> java.util.concurrent.locks.LockSupport.parkNanos(
                Duration.ofSeconds(1).toNanos()));

        steady.send(paused.self(), 1, 64, 1 << 20, 1);
        TestRank.await("the body", () -> paused.bodies() == 1);
        assertThat(paused.losses()).isEmpty();
        assertThat(steady.losses()).isEmpty();
    }

    private void assertUndisturbed() {
        int before = high.bodies();
        int beforeLow = low.bodies();
        low.send(high.self(), 7, 64, 1 << 20, 1);
        high.send(low.self(), 7, 64, 1 << 20, 1);
        TestRank.await("bodies both ways", () -> high.bodies() > before && low.bodies() > beforeLow);
        assertThat(low.losses()).noneMatch(loss -> loss.peer().equals(high.self()));
        assertThat(high.losses()).isEmpty();
    }

    private static UcxCounts counts(TestRank rank) {
        return ((UcxTransport) rank.transport()).counts();
    }

    private TestRank rank(int rank, long incarnation, JobKey itsKey) {
        return rank(rank, incarnation, UcxTransportTest.settings(itsKey));
    }

    private TestRank rank(int rank, long incarnation, UcxSettings settings) {
        PeerId self = new PeerId(rank, incarnation);
        TestRank opening = TestRank.open(self, new UcxTransport(self, settings, null));
        opened.push(opening);
        return opening;
    }

    /** Somebody who speaks UCX to a rank, but was never told the key. */
    private static final class Stranger implements AutoCloseable {
        private final UcxContext context;
        private final UcxWorker worker;
        private final UcxEndpoint endpoint;
        private boolean failed;

        Stranger(TestRank victim) {
            context = UcxContext.open(UcxTransportTest.settings(JobKey.random()), NetDevices.of("lo"));
            worker = new UcxWorker(context);
            endpoint = worker.connect(
                    UcxAddress.decode(victim.transport().address()).socket());
        }

        void send(int amId, byte[] message, @Nullable MemorySegment body) {
            MemorySegment header = Arena.ofAuto().allocate(Math.max(1, message.length));
            MemorySegment.copy(message, 0, header, ValueLayout.JAVA_BYTE, 0, message.length);
            endpoint.send(
                    amId,
                    header.asSlice(0, message.length),
                    body == null ? MemorySegment.NULL : body,
                    body == null ? UcxEndpoint.Mode.EAGER_WITH_REPLY : UcxEndpoint.Mode.RENDEZVOUS,
                    new Operation(endpoint) {
                        @Override
                        void finished(@Nullable String error) {}
                    });
            run();
        }

        void run() {
            worker.progress();
            for (WorkerEvent event = worker.poll(); event != null; event = worker.poll()) {
                failed |= event instanceof WorkerEvent.EndpointFailed;
            }
        }

        boolean failed() {
            return failed;
        }

        @Override
        public void close() {
            endpoint.close();
            TestRank.await("the stranger's endpoint", () -> {
                run();
                return endpoint.gone();
            });
            worker.close();
            context.close();
        }
    }
}
