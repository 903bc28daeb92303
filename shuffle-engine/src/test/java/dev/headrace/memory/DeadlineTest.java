package dev.headrace.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.testing.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    @Test
    void shouldExpireWhenItsTimeIsOver() {
        ManualClock clock = new ManualClock(-5);
        Deadline deadline = Deadline.after(Duration.ofNanos(10), clock);
        assertThat(deadline.remainingNanos()).isEqualTo(10);
        clock.advance(Duration.ofNanos(9));
        assertThat(deadline.expired()).isFalse();
        clock.advance(Duration.ofNanos(1));
        assertThat(deadline.expired()).isTrue();
        clock.advance(Duration.ofDays(1));
        assertThat(deadline.remainingNanos()).isZero();
    }

    @Test
    void shouldSurviveTheWrapOfTheClock() {
        ManualClock clock = new ManualClock(Long.MAX_VALUE - 1);
        Deadline deadline = Deadline.after(Duration.ofNanos(10), clock);
        assertThat(deadline.expired()).isFalse();
        clock.advance(Duration.ofNanos(10));
        assertThat(deadline.expired()).isTrue();
    }

    @Test
    void shouldTakeAnyDuration() {
        ManualClock clock = new ManualClock(0);
        assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE), clock).expired())
                .isFalse();
        assertThat(Deadline.after(Duration.ofSeconds(Long.MIN_VALUE), clock).expired())
                .isTrue();
        assertThat(Deadline.after(Duration.ZERO, Clock.system()).expired()).isTrue();
    }
}
