package dev.headrace.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What every {@link Transport} promises; one subclass per transport. */
public abstract class TransportContract extends ConnectionContract {
    private static final MemorySegment NO_HEADER = MemorySegment.ofArray(new byte[0]);

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
