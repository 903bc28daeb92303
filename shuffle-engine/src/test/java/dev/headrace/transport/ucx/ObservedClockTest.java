package dev.headrace.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ObservedClockTest {
    private final AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE - 50);
    private final ObservedClock clock = new ObservedClock(nanoTime::get, 100);

    @Test
    void shouldFollowTimeWhileAwake() {
        for (int i = 0; i < 10; i++) {
            nanoTime.addAndGet(30);
            clock.look();
        }
        assertThat(clock.observedNanos()).isEqualTo(300);
    }

    @Test
    void shouldCountOwnPauseAsOneStep() {
        nanoTime.addAndGet(1_000_000);
        clock.look();
        assertThat(clock.observedNanos()).isEqualTo(100);
        assertThat(clock.nowNanos()).isEqualTo(nanoTime.get());
    }
}
