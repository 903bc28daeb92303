package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RoundsTest {

    private static final TimeLimit NOW = TimeLimit.after(Duration.ZERO);

    private record Sent(int rank, long bytes) {}

    @Test
    void shouldTakeTurnsAmongEqualRanks() {
        Rounds rounds = new Rounds(new long[] {100, 100, 100});
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ranks.add(claim(rounds, 10));
        }
        assertThat(ranks).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void shouldSendOneBatchThatIsLargerThanTheRoom() {
        Rounds rounds = new Rounds(new long[] {5});
        assertThat(claim(rounds, 1000)).isZero();
        assertThatThrownBy(() -> claim(rounds, 1)).hasMessageContaining("no rank took a batch of 1 bytes");
        rounds.accepted(0, 1000, 50);
        assertThat(claim(rounds, 40)).isZero();
        assertThatThrownBy(() -> claim(rounds, 11)).hasMessageContaining("11 bytes");
        assertThat(claim(rounds, 10)).isZero();
    }

    @Test
    void shouldLimitTheBatchesInFlight() {
        Rounds rounds = new Rounds(new long[] {1000});
        for (int i = 0; i < CallKind.INSERT.inFlightLimit(); i++) {
            claim(rounds, 1);
        }
        assertThatThrownBy(() -> claim(rounds, 1)).hasMessageContaining("no rank took");
    }

    @Test
    void shouldGiveUpWhenAsked() {
        Rounds rounds = new Rounds(new long[] {1000});
        assertThat(rounds.claim(10, () -> true, NOW)).isEqualTo(-1);
    }

    @Test
    void shouldNeverHaveMoreInFlightThanGranted() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Rounds rounds = new Rounds(new long[] {random.nextInt(100), random.nextInt(100)});
        List<Sent> inFlight = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (random.nextBoolean() && !inFlight.isEmpty()) {
                Sent sent = inFlight.remove(random.nextInt(inFlight.size()));
                switch (random.nextInt(3)) {
                    case 0 -> rounds.accepted(sent.rank, sent.bytes, random.nextInt(200));
                    case 1 -> rounds.failed(sent.rank, sent.bytes);
                    default -> {
                        rounds.refused(sent.rank, random.nextInt(200));
                        inFlight.add(sent);
                    }
                }
            } else {
                long bytes = 1L + random.nextInt(60);
                int rank = claimOrGiveUp(rounds, bytes);
                if (rank >= 0) {
                    inFlight.add(new Sent(rank, bytes));
                }
            }
            RoundStatistics statistics = rounds.statistics();
            assertThat(statistics.peakInFlightBytes())
                    .as("seed %d, step %d", seed, i)
                    .isLessThanOrEqualTo(statistics.peakGrantedBytes());
        }
    }

    private static int claim(Rounds rounds, long bytes) {
        return rounds.claim(bytes, () -> false, NOW);
    }

    private static int claimOrGiveUp(Rounds rounds, long bytes) {
        try {
            return claim(rounds, bytes);
        } catch (HeadraceException full) {
            return -1;
        }
    }
}
