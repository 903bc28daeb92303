package dev.headrace.transport.ucx;

import static dev.headrace.transport.ucx.ReplayWindow.Verdict.FRESH;
import static dev.headrace.transport.ucx.ReplayWindow.Verdict.REPEATED;
import static dev.headrace.transport.ucx.ReplayWindow.Verdict.TOO_OLD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReplayWindowTest {
    private final ReplayWindow window = new ReplayWindow();

    @Test
    void shouldTakeEachNumberOnce() {
        for (long sequence = 1; sequence < 3 * ReplayWindow.SIZE; sequence++) {
            assertThat(window.take(sequence)).isEqualTo(FRESH);
            assertThat(window.take(sequence)).isEqualTo(REPEATED);
        }
    }

    @Test
    void shouldTakeLateNumbersWithinTheWindowOnly() {
        assertThat(window.take(ReplayWindow.SIZE + 1)).isEqualTo(FRESH);
        assertThat(window.take(2)).isEqualTo(FRESH);
        assertThat(window.take(2)).isEqualTo(REPEATED);
        assertThat(window.take(1)).isEqualTo(TOO_OLD);
        assertThat(window.take(0)).isEqualTo(TOO_OLD);
        assertThat(window.take(-5)).isEqualTo(TOO_OLD);
    }

    @Test
    void shouldForgetAllWhenNumbersLeapAhead() {
        window.take(5);
        assertThat(window.take(1L << 40)).isEqualTo(FRESH);
        assertThat(window.take((1L << 40) - ReplayWindow.SIZE + 1)).isEqualTo(FRESH);
        assertThat(window.take((1L << 40) - ReplayWindow.SIZE)).isEqualTo(TOO_OLD);
    }

    @Test
    void shouldAgreeWithSetOfAllNumbers() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Set<Long> seen = new HashSet<>();
        long highest = 0;
        for (int i = 0; i < 100_000; i++) {
            long sequence = Math.max(1, highest + random.nextInt(9_000) - 8_000);
            boolean tooOld = sequence <= highest - ReplayWindow.SIZE;
            boolean fresh = !tooOld && seen.add(sequence);
            highest = Math.max(highest, sequence);
            assertThat(window.take(sequence)).isEqualTo(tooOld ? TOO_OLD : fresh ? FRESH : REPEATED);
        }
    }
}
