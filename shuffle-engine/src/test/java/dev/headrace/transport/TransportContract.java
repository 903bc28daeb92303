package dev.headrace.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link Transport} promises; one subclass per transport. */
@Timeout(60)
public abstract class TransportContract {
    private static final Duration PROMPT = Duration.ofSeconds(5);
    private static final MemorySegment NO_HEADER = MemorySegment.ofArray(new byte[0]);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** A transport for the rank; peers that don't connect are given up after a second or two. */
    protected abstract Transport open(PeerId self);

    /** An address of the right form at which nobody is. */
    protected abstract byte[] deadAddress();

    /** Memory that the rank of this transport sends from and lands in. */
    protected TestRank.MemorySource memory(Transport transport) {
        return bytes -> Arena.ofAuto().allocate(bytes, 64);
    }

    protected final TestRank rank(int rank, long incarnation) {
        PeerId self = new PeerId(rank, incarnation);
        Transport transport = open(self);
        TestRank opening = new TestRank(self, transport, memory(transport));
        opened.push(opening);
        return opening;
    }

    @AfterEach
    final void closeRanks() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        ranksAreClosed();
    }

    /** Frees what the transports of a test needed. */
    protected void ranksAreClosed() {}

    @Test
    void shouldConnectWhicheverSideAsksFirst() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        TestRank third = rank(2, 1);

        low.join(high);
        third.join(low);

        assertThat(low.connected).containsExactlyInAnyOrder(high.self(), third.self());
    }

    @Test
    void shouldTreatSecondConnectToSamePeerAsDone() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);

        low.connect(high);
        high.connect(low);
        low.send(high.self(), 5, 16, 100, 1);

        TestRank.await("the body", () -> high.bodies.get() == 1);
        assertThat(low.losses).isEmpty();
        assertThat(high.losses).isEmpty();
    }

    @Test
    void shouldRefuseToConnectToItself() {
        TestRank rank = rank(3, 1);

        assertThatThrownBy(() -> rank.on(owned -> owned.connect(new PeerId(3, 2), owned.address())))
                .isInstanceOfSatisfying(
                        HeadraceException.class, e -> assertThat(e.category()).isEqualTo(Category.INVALID_INPUT));
    }

    @Test
    void shouldKeepAddressWithinOneKibibyte() {
        assertThat(rank(0, 1).transport().address()).hasSizeBetween(1, 1024);
    }

    @Test
    void shouldDeliverHeadersOfEverySize() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);

        int[] sizes = {0, 1, 7, 8, 9, 63, 64, 65, 1000, 2048, 4095, Transport.MAX_HEADER_BYTES};
        for (int size : sizes) {
            low.send(high.self(), size * 31L, size, -1, 0);
            high.send(low.self(), size * 37L, size, -1, 0);
        }

        TestRank.await("all headers", () -> high.messages.get() == sizes.length && low.messages.get() == sizes.length);
    }

    @Test
    void shouldRefuseHeaderOverTheLimit() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);

        assertThatThrownBy(() -> low.send(high.self(), 1, Transport.MAX_HEADER_BYTES + 1, -1, 0))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("4097")
                .hasMessageContaining("4096");
    }

    @Test
    void shouldDeliverBodiesOfEveryLength() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);

        long[] lengths = {0, 1, 7, 8, 100, 4095, 8191, 8192, 16_384, 65_537, 262_144, 300_001, 1 << 20, (20 << 20) + 3};
        for (long length : lengths) {
            low.send(high.self(), length * 31, 64, length, length + 1);
            high.send(low.self(), length * 37, Transport.MAX_HEADER_BYTES, length, length + 1);
        }

        TestRank.await("all bodies", () -> high.bodies.get() == lengths.length && low.bodies.get() == lengths.length);
        TestRank.await("all tokens", () -> low.tokens.size() == lengths.length && high.tokens.size() == lengths.length);
        assertThat(high.bodyBytes.get()).isEqualTo(LongStream.of(lengths).sum());
        assertThat(low.tokens.values()).containsOnly(1);
    }

    @Test
    void shouldNotReportTokenZero() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);

        low.send(high.self(), 1, 64, 1 << 20, 0);
        low.send(high.self(), 2, 64, 1 << 20, 2);

        TestRank.await("the second token", () -> low.tokens.containsKey(2L) && high.bodies.get() == 2);
        assertThat(low.tokens).containsOnlyKeys(2L);
    }

    @Test
    void shouldCopyHeaderBeforeSendReturns() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        MemorySegment body = Pattern.fill(low.memory(2 << 20), 77);

        low.on(owned -> {
            for (int i = 0; i < 20; i++) {
                MemorySegment header = Pattern.header(77, 500);
                owned.send(high.self(), header, body, 0);
                header.fill((byte) 0xFF);
            }
        });

        TestRank.await("the bodies", () -> high.bodies.get() == 20);
    }

    @Test
    void shouldGoOnAfterListenerDroppedBodies() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        high.refuseBodies = true;
        low.send(high.self(), 1, 64, 100, 1);
        low.send(high.self(), 2, 64, 20 << 20, 2);
        TestRank.await("refusals and tokens", () -> high.bodies.get() == 2 && low.tokens.size() == 2);

        high.refuseBodies = false;
        low.send(high.self(), 3, 64, 3 << 20, 3);

        TestRank.await("the third body", () -> high.bodyBytes.get() == 3 << 20);
    }

    @Test
    void shouldFailLandingThatIsTooSmall() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        high.landingShortageBytes = 1;
        low.send(high.self(), 1, 64, 100, 1);
        low.send(high.self(), 2, 64, 20 << 20, 2);
        TestRank.await("failures", () -> high.failedLandings.get() == 2 && low.tokens.size() == 2);

        high.landingShortageBytes = 0;
        low.send(high.self(), 3, 64, 3 << 20, 3);

        TestRank.await("the third body", () -> high.bodyBytes.get() == 3 << 20);
    }

    @Test
    void shouldCarryStormsBetweenManyPeers() {
        long seed = new Random().nextLong();
        System.out.println("storm seed " + seed);
        int ranks = 4;
        int perPair = 250;
        List<TestRank> all = new ArrayList<>();
        for (int i = 0; i < ranks; i++) {
            all.add(rank(i, 1));
        }
        for (int i = 0; i < ranks; i++) {
            for (int j = i + 1; j < ranks; j++) {
                all.get(i).join(all.get(j));
            }
        }

        for (TestRank from : all) {
            storm(from, all, new Random(seed + from.self().rank()), perPair);
        }

        int expected = perPair * (ranks - 1);
        for (TestRank each : all) {
            TestRank.await("messages at " + each.self(), () -> each.messages.get() + each.bodies.get() == expected);
            TestRank.await("tokens at " + each.self(), () -> each.tokens.size() == expected);
            assertThat(each.tokens.values()).containsOnly(1);
            assertThat(each.losses).isEmpty();
        }
    }

    private static void storm(TestRank from, List<TestRank> all, Random random, int perPair) {
        long[] lengths = {-1, -1, 0, 9, 500, 9_000, 40_000, 300_000, 1 << 20};
        List<MemorySegment> sources = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++) {
            sources.add(Pattern.fill(from.memory(Math.max(0, lengths[i])), i));
        }
        from.on(owned -> {
            long token = 1;
            for (int i = 0; i < perPair; i++) {
                for (TestRank to : all) {
                    if (to == from) {
                        continue;
                    }
                    int choice = random.nextInt(lengths.length);
                    MemorySegment header = Pattern.header(choice, Long.BYTES + random.nextInt(600));
                    owned.send(to.self(), header, lengths[choice] < 0 ? null : sources.get(choice), token++);
                }
            }
        });
    }

    @Test
    void shouldReportOnceThatPeerClosed() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        TestRank third = rank(2, 1);
        low.join(high);
        low.join(third);

        high.close();

        TestRank.Loss loss = low.awaitLoss(high.self());
        assertThat(loss.cause().category()).isEqualTo(Category.PEER_LOST);
        assertThat(loss.cause().rank()).isEqualTo(1);
        low.send(third.self(), 5, 100, 1 << 20, 9);
        TestRank.await("traffic with the others", () -> third.bodies.get() == 1);
        assertThat(low.losses).hasSize(1);
    }

    @Test
    void shouldHandBackTokenOfSendToLostPeer() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        high.close();
        low.awaitLoss(high.self());

        low.send(high.self(), 1, 64, 1 << 20, 42);
        low.send(new PeerId(9, 9), 1, 64, -1, 43);

        TestRank.await("the tokens", () -> low.tokens.size() == 2);
        assertThat(low.tokens).containsOnlyKeys(42L, 43L);
    }

    @Test
    void shouldReportDisconnectToTheOtherSideOnly() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);

        low.on(owned -> owned.disconnect(high.self()));

        high.awaitLoss(low.self());
        assertThat(low.losses).isEmpty();
    }

    @Test
    void shouldReconnectSameIncarnationAfterDisconnect() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        low.on(owned -> owned.disconnect(high.self()));
        high.awaitLoss(low.self());
        low.connected.clear();

        low.join(high);
        low.send(high.self(), 3, 64, 1000, 1);
        high.send(low.self(), 3, 64, 1000, 1);

        TestRank.await("both bodies", () -> high.bodies.get() == 1 && low.bodies.get() == 1);
    }

    @Test
    void shouldConnectToReplacementAfterLoss() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        high.close();
        low.awaitLoss(high.self());

        TestRank replacement = rank(1, 2);
        low.join(replacement);
        low.send(replacement.self(), 3, 64, 1 << 20, 1);

        TestRank.await("the body", () -> replacement.bodies.get() == 1);
    }

    @Test
    void shouldReplaceLivingPeerByNewIncarnationOnce() {
        TestRank middle = rank(1, 1);
        TestRank lowOld = rank(0, 1);
        TestRank highOld = rank(2, 1);
        middle.join(lowOld);
        middle.join(highOld);

        TestRank lowNew = rank(0, 2);
        TestRank highNew = rank(2, 2);
        middle.join(lowNew);
        highNew.join(middle);

        middle.awaitLoss(lowOld.self());
        middle.awaitLoss(highOld.self());
        lowOld.awaitLoss(middle.self());
        highOld.awaitLoss(middle.self());
        middle.send(lowNew.self(), 3, 64, 1000, 1);
        middle.send(highNew.self(), 3, 64, 1000, 2);
        TestRank.await("bodies", () -> lowNew.bodies.get() == 1 && highNew.bodies.get() == 1);
        assertThat(middle.losses).hasSize(2);
    }

    @Test
    void shouldRefuseStaleIncarnation() {
        TestRank middle = rank(1, 1);
        TestRank lowNew = rank(0, 5);
        TestRank lowStale = rank(0, 4);
        middle.join(lowNew);

        lowStale.connect(middle);
        middle.connect(lowStale);

        assertThat(middle.awaitLoss(lowStale.self()).cause()).hasMessageContaining("stale");
        lowStale.awaitLoss(middle.self());
        middle.send(lowNew.self(), 3, 64, 1000, 1);
        TestRank.await("the body", () -> lowNew.bodies.get() == 1);
        assertThat(middle.losses).hasSize(1);
    }

    @Test
    void shouldReportDeadAddressByTheDeadline() {
        TestRank middle = rank(1, 1);
        long started = System.nanoTime();

        middle.on(owned -> {
            owned.connect(new PeerId(0, 1), deadAddress());
            owned.connect(new PeerId(2, 1), deadAddress());
        });

        for (int rank : new int[] {0, 2}) {
            TestRank.Loss loss = middle.awaitLoss(new PeerId(rank, 1));
            assertThat(loss.nanos() - started).isLessThan(PROMPT.toNanos());
            assertThat(loss.cause().rank()).isEqualTo(rank);
            assertThat(loss.cause().category()).isEqualTo(Category.PEER_LOST);
        }
    }

    @Test
    void shouldGiveUpPeerThatNeverAsksBack() {
        TestRank low = rank(0, 1);
        TestRank middle = rank(1, 1);
        TestRank high = rank(2, 1);

        middle.connect(low);
        middle.connect(high);

        assertThat(middle.awaitLoss(low.self()).cause()).hasMessageContaining("rank 0");
        assertThat(middle.awaitLoss(high.self()).cause()).hasMessageContaining("rank 2");
    }

    @Test
    void shouldAnswerEverythingWhenOneSideClosesWhileBusy() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        flood(low, high.self(), 60, 1 << 20);
        flood(high, low.self(), 60, 1 << 20);

        high.close();

        low.awaitLoss(high.self());
        TestRank.await("all tokens", () -> low.tokens.size() == 60 && high.tokens.size() == 60);
        assertThat(low.openLandings).hasValue(0);
        assertThat(high.openLandings).hasValue(0);
        assertThat(low.tokens.values()).containsOnly(1);
        assertThat(high.tokens.values()).containsOnly(1);
    }

    @Test
    void shouldAnswerEverythingWhenDisconnectedWhileBusy() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        flood(low, high.self(), 8, 20 << 20);
        flood(high, low.self(), 8, 20 << 20);

        low.on(owned -> owned.disconnect(high.self()));

        high.awaitLoss(low.self());
        TestRank.await("all tokens", () -> low.tokens.size() == 8 && high.tokens.size() == 8);
        TestRank.await("all landings", () -> low.openLandings.get() == 0 && high.openLandings.get() == 0);
    }

    private static void flood(TestRank from, PeerId to, int count, long length) {
        MemorySegment body = Pattern.fill(from.memory(length), 11);
        from.on(owned -> {
            for (long token = 1; token <= count; token++) {
                owned.send(to, Pattern.header(11, 64), body, token);
            }
        });
    }

    @Test
    void shouldEndWaitWhenWokenFromAnotherThread() {
        TestRank rank = rank(0, 1);
        AtomicBoolean ended = new AtomicBoolean();
        Thread waking = Thread.ofPlatform().daemon().start(() -> {
            // One wake-up may end a wait of the owner's own loop that comes before the one that is measured.
            while (!ended.get()) {
                rank.transport().wakeUp();
                Thread.onSpinWait();
            }
        });
        long started = System.nanoTime();

        rank.on(owned -> owned.await(PROMPT.toNanos() * 2));
        ended.set(true);

        assertThat(System.nanoTime() - started).isLessThan(PROMPT.toNanos());
        assertThatCode(waking::join).doesNotThrowAnyException();
    }

    @Test
    void shouldEndWaitWhenTimeIsOver() {
        TestRank rank = rank(0, 1);
        rank.on(owned -> owned.await(0));
        long started = System.nanoTime();

        rank.on(owned -> owned.await(Duration.ofMillis(30).toNanos()));

        assertThat(System.nanoTime() - started).isLessThan(PROMPT.toNanos());
    }

    @Test
    void shouldCloseWithoutStart() {
        Transport transport = open(new PeerId(8, 1));

        transport.close();
        transport.close();
        transport.wakeUp();
    }

    @Test
    void shouldKeepEmptyHeaderWithBody() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        MemorySegment body = Pattern.fill(low.memory(1 << 20), 0);

        low.on(owned -> owned.send(high.self(), NO_HEADER, body, 1));

        TestRank.await("the body", () -> high.bodies.get() == 1);
    }
}
