package dev.headrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

    @Test
    void shouldNeverPassItsLimit() {
        MemoryBudget budget = new MemoryBudget(MemoryTier.DISK, 100);
        try (Reservation reservation = some(budget.tryReserve(60))) {
            assertThat(reservation.bytes()).isEqualTo(60);
            assertThat(budget.tryReserve(41)).isNull();
            assertThat(budget.tryReserve(Long.MAX_VALUE)).isNull();
            assertThat(budget.usedBytes()).isEqualTo(60);
        }
        assertThat(budget.usedBytes()).isZero();
        assertThat(budget.peakBytes()).isEqualTo(60);
        assertThat(budget.limitBytes()).isEqualTo(100);
        assertThat(budget.tier()).isEqualTo(MemoryTier.DISK);
    }

    @Test
    void shouldSplitWithoutChangingTheSum() {
        MemoryBudget budget = new MemoryBudget(MemoryTier.HOST, Long.MAX_VALUE);
        Reservation whole = some(budget.tryReserve(10));
        Reservation part = whole.split(3);
        assertThat(whole.bytes()).isEqualTo(7);
        assertThat(part.bytes()).isEqualTo(3);
        assertThatThrownBy(() -> whole.split(8)).hasMessageContaining("8 bytes").hasMessageContaining("7");
        part.close();
        part.close();
        assertThat(budget.usedBytes()).isEqualTo(7);
        whole.close();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void shouldTakeAReservationOfNothing() {
        MemoryBudget budget = new MemoryBudget(MemoryTier.DEVICE, 0);
        some(budget.tryReserve(0)).close();
        assertThat(budget.tryReserve(1)).isNull();
        assertThatThrownBy(() -> budget.tryReserve(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldHoldItsLimitWithManyThreads() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed of shouldHoldItsLimitWithManyThreads: " + seed);
        MemoryBudget budget = new MemoryBudget(MemoryTier.HOST, 1000);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(seed + thread);
                runs.add(threads.submit((Callable<@Nullable Void>) () -> {
                    for (int i = 0; i < 20_000; i++) {
                        Reservation reservation = budget.tryReserve(random.nextInt(600));
                        assertThat(budget.usedBytes()).isLessThanOrEqualTo(1000);
                        if (reservation != null) {
                            reservation.split(reservation.bytes() / 2).close();
                            reservation.close();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
        assertThat(budget.usedBytes()).isZero();
        assertThat(budget.peakBytes()).isBetween(500L, 1000L);
    }

    private static Reservation some(@Nullable Reservation reservation) {
        if (reservation == null) {
            throw new AssertionError("nothing was reserved");
        }
        return reservation;
    }
}
