package dev.headrace.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.transport.PeerId;
import dev.headrace.transport.TestRank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks in processes of their own, one of which is killed or stopped in the middle of its traffic. */
@Tag("system")
@Timeout(120)
final class PeerDeathTest {
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(5);
    private static final Duration PEER_TIMEOUT = Duration.ofSeconds(3);

    /** What a body of the test and the Java heap may add while everything of the dead is freed. */
    private static final long RESIDENT_SLACK_KIBIBYTES = 24 << 10;

    private final JobKey key = JobKey.random();
    private final List<RankHandle> started = new ArrayList<>();

    @BeforeAll
    static void needsUcx() {
        UcxDirectory.require();
    }

    @AfterEach
    void endProcesses() {
        started.forEach(RankHandle::close);
    }

    @ParameterizedTest(name = "shared slabs: {0}")
    @ValueSource(booleans = {false, true})
    void shouldLoseKilledPeerAndGoOnWithOthers(boolean sharedSlabs) {
        int kills = 10;
        RankHandle low = start(0, 1, sharedSlabs);
        RankHandle high = start(2, 1, sharedSlabs);
        RankHandle victim = start(1, 1, sharedSlabs);
        low.join(high);
        RankHandle.Statistics lowBefore = low.statistics();
        RankHandle.Statistics highBefore = high.statistics();
        for (int kill = 1; kill <= kills; kill++) {
            RankHandle replacement = start(1, kill + 1, sharedSlabs);
            low.join(victim);
            victim.join(high);
            awaitTraffic(victim, 20);
            long killed = System.nanoTime();
            victim.kill();
            low.awaitLoss(victim);
            high.awaitLoss(victim);
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(NOTICED_WITHIN);
            awaitTraffic(low, 50);
            awaitTraffic(high, 50);
            victim.close();
            victim = replacement;
            if (kill == 3) {
                lowBefore = low.statistics();
                highBefore = high.statistics();
            }
        }
        assertFlat(lowBefore, low.statistics());
        assertFlat(highBefore, high.statistics());
        assertThat(low.losses()).isEqualTo(kills);
        assertThat(high.losses()).isEqualTo(kills);
    }

    @Test
    void shouldNameStoppedPeerAfterTheTimeout() {
        RankHandle low = start(0, 1, true);
        RankHandle stopped = start(1, 1, true);
        RankHandle high = start(2, 1, true);
        low.join(stopped);
        stopped.join(high);
        low.join(high);
        awaitTraffic(stopped, 20);

        long stoppedAt = System.nanoTime();
        stopped.signal("STOP");
        String toLow = low.awaitLoss(stopped);
        String toHigh = high.awaitLoss(stopped);
        Duration noticed = Duration.ofNanos(System.nanoTime() - stoppedAt);

        assertThat(toLow)
                .contains("rank 1 (incarnation 1)")
                .contains("silent for")
                .contains("timeout of 3000 ms");
        assertThat(toHigh).contains("rank 1 (incarnation 1)").contains("silent for");
        assertThat(noticed).isBetween(PEER_TIMEOUT.dividedBy(2), PEER_TIMEOUT.plusSeconds(2));
        awaitTraffic(low, 50);
        stopped.signal("CONT");
        assertThat(stopped.awaitLoss(low)).doesNotContain("silent");
        assertThat(stopped.awaitLoss(high)).doesNotContain("silent");
        RankHandle replacement = start(1, 2, true);
        low.join(replacement);
        replacement.join(high);
        awaitTraffic(replacement, 20);
        assertThat(low.statistics().damaged()).isZero();
        assertThat(high.statistics().damaged()).isZero();
    }

    private RankHandle start(int rank, long incarnation, boolean sharedSlabs) {
        RankHandle handle = RankHandle.start(new PeerId(rank, incarnation), key, PEER_TIMEOUT, sharedSlabs);
        started.add(handle);
        return handle;
    }

    private static void awaitTraffic(RankHandle rank, long bodies) {
        long before = rank.statistics().received();
        TestRank.await(bodies + " bodies at " + rank, () -> rank.statistics().received() >= before + bodies);
    }

    private static void assertFlat(RankHandle.Statistics before, RankHandle.Statistics after) {
        System.out.println("before " + before + ", after " + after);
        assertThat(after.damaged()).isZero();
        assertThat(after.quarantined()).isZero();
        assertThat(after.files()).as("open files").isLessThanOrEqualTo(before.files() + 4);
        assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + 2);
        assertThat(after.maps()).as("maps").isLessThanOrEqualTo(before.maps() + 8);
        assertThat(after.residentKibibytes())
                .as("resident KiB")
                .isLessThan(before.residentKibibytes() + RESIDENT_SLACK_KIBIBYTES);
    }
}
