package dev.headrace.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link Transport} promises of connections: how they come up, how they end, and who is told. */
@Timeout(60)
public abstract class ConnectionContract {
    static final Duration PROMPT = Duration.ofSeconds(5);

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
}
