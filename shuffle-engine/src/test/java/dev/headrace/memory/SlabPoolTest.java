package dev.headrace.memory;

import static dev.headrace.memory.SlabPool.Use.LAND;
import static dev.headrace.memory.SlabPool.Use.OUTPUT;
import static dev.headrace.memory.SlabPool.Use.PACK;
import static dev.headrace.memory.SlabPool.Use.SPILL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.SlabPool.SetAside;
import dev.headrace.testing.Await;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlabPoolTest {
    private static final int SLAB = 4096;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final SetAside NOTHING = new SetAside(0, 0, 0);

    private final List<Slab> held = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SharedRegion region = SharedRegion.create(10 * SLAB);
    private final MemoryBudget budget = new MemoryBudget(MemoryTier.HOST, 10 * SLAB);
    private @Nullable SlabPool pool;

    @AfterEach
    void closeAll() {
        held.forEach(Slab::close);
        if (pool != null) {
            pool.close();
        }
        region.close();
        threads.shutdownNow();
        threads.close();
        System.clearProperty(LeakTracker.DEBUG);
    }

    @Test
    void shouldGiveWhatIsAskedAndTakeItBack() {
        SlabPool pool = pool(NOTHING);
        Slab slab = take(PACK, 100);
        assertThat(slab.segment().byteSize()).isEqualTo(100);
        assertThat(slab.bytes()).isEqualTo(100);
        assertThat(slab.capacityBytes()).isEqualTo(SLAB);
        assertThat(region.contains(slab.segment())).isTrue();
        assertThat(pool.freeBytes()).isEqualTo(9 * SLAB);
        assertThat(budget.usedBytes()).isEqualTo(SLAB);
        give(slab);
        assertThat(pool.freeBytes()).isEqualTo(10 * SLAB);
        assertThat(budget.usedBytes()).isZero();
        assertThat(budget.peakBytes()).isEqualTo(SLAB);
    }

    @Test
    void shouldRefuseToTouchOrCloseAClosedSlab() {
        pool(NOTHING);
        Slab slab = take(PACK, 1);
        give(slab);
        assertThatThrownBy(slab::segment)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("slab 0");
        assertThatThrownBy(slab::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed twice");
    }

    @Test
    void shouldUseTheLowestSlotAgainForSinglesAndTheHighestForRuns() {
        pool(NOTHING);
        Slab first = take(PACK, SLAB);
        Slab second = take(PACK, SLAB);
        Slab run = take(PACK, 3 * SLAB - 1);
        assertThat(region.offsetOf(first.segment())).isZero();
        assertThat(region.offsetOf(second.segment())).isEqualTo(SLAB);
        assertThat(region.offsetOf(run.segment())).isEqualTo(7 * SLAB);
        assertThat(run.capacityBytes()).isEqualTo(3 * SLAB);
        give(first);
        assertThat(region.offsetOf(take(PACK, SLAB).segment())).isZero();
    }

    @Test
    void shouldKeepWhatIsSetAsideForHigherUses() {
        SlabPool pool = pool(new SetAside(3, 2, 1));
        assertThat(pool.largestBytes(PACK)).isEqualTo(4 * SLAB);
        assertThat(pool.largestBytes(LAND)).isEqualTo(7 * SLAB);
        assertThat(pool.largestBytes(OUTPUT)).isEqualTo(9 * SLAB);
        assertThat(pool.largestBytes(SPILL)).isEqualTo(10 * SLAB);
        assertThat(pool.freeBytes(PACK)).isEqualTo(4 * SLAB);
        assertThat(takeAll(PACK)).isEqualTo(4);
        assertThat(pool.freeBytes(PACK)).isZero();
        assertThat(takeAll(LAND)).isEqualTo(3);
        assertThat(takeAll(OUTPUT)).isEqualTo(2);
        assertThat(takeAll(SPILL)).isEqualTo(1);
        assertThat(pool.freeBytes()).isZero();
    }

    @Test
    void shouldNameTheFigureWhenARequestCanNeverFit() {
        SlabPool pool = pool(new SetAside(3, 2, 1));
        assertThatThrownBy(() -> pool.acquire(PACK, 4 * SLAB + 1, LONG))
                .isInstanceOfSatisfying(HeadraceException.class, e -> {
                    assertThat(e.category()).isEqualTo(Category.OUT_OF_MEMORY);
                    assertThat(e).hasMessageContaining("16385 bytes").hasMessageContaining("limit of 45056 would do");
                });
        assertThatThrownBy(() -> pool.tryAcquire(PACK, Long.MAX_VALUE - SLAB)).hasMessageContaining("can never fit");
    }

    @Test
    void shouldNameTheFigureWhenTheLimitIsBelowWhatIsSetAside() {
        assertThatThrownBy(() -> new SlabPool(region, SLAB, new SetAside(5, 4, 1), budget))
                .isInstanceOfSatisfying(HeadraceException.class, e -> {
                    assertThat(e.category()).isEqualTo(Category.INVALID_INPUT);
                    assertThat(e).hasMessageContaining("at least 45056 bytes");
                });
    }

    @Test
    void shouldEndAWaitAtItsDeadline() {
        SlabPool pool = pool(NOTHING);
        takeAll(PACK);
        long start = System.nanoTime();
        assertThatThrownBy(() -> pool.acquire(PACK, 2 * SLAB, Duration.ofMillis(30)))
                .isInstanceOfSatisfying(
                        HeadraceException.class, e -> assertThat(e.category()).isEqualTo(Category.DEADLINE));
        assertThat(System.nanoTime() - start)
                .isGreaterThanOrEqualTo(Duration.ofMillis(30).toNanos());
        give(held.getFirst());
        assertThat(take(PACK, SLAB).bytes()).isEqualTo(SLAB);
    }

    @Test
    void shouldServeTheHigherUseFirstThenWhoCameFirst() {
        pool(NOTHING);
        takeAll(PACK);
        List<String> order = new ArrayList<>();
        List<CompletableFuture<Void>> waits = new ArrayList<>();
        for (SlabPool.Use use : List.of(PACK, SPILL, LAND, SPILL)) {
            String name = use + "-" + waits.size();
            waits.add(waiting(use, SLAB).thenAccept(slab -> {
                synchronized (order) {
                    order.add(name);
                }
                slab.close();
            }));
        }
        give(held.getFirst());
        waits.forEach(CompletableFuture::join);
        assertThat(order).containsExactly("SPILL-1", "SPILL-3", "LAND-2", "PACK-0");
    }

    @Test
    void shouldLetAWaitingRunCollectItsWindow() {
        SlabPool pool = pool(NOTHING);
        takeAll(PACK);
        CompletableFuture<Slab> run = waiting(PACK, 3 * SLAB);
        for (int slot = 9; slot > 7; slot--) {
            give(slabAt(slot));
            assertThat(pool.tryAcquire(PACK, SLAB)).isNull();
            assertThat(pool.freeBytes(PACK)).isZero();
        }
        give(slabAt(2));
        assertThat(region.offsetOf(take(PACK, SLAB).segment())).isEqualTo(2 * SLAB);
        assertThat(run).isNotDone();
        give(slabAt(7));
        held.add(run.join());
        assertThat(region.offsetOf(run.join().segment())).isEqualTo(7 * SLAB);
    }

    @Test
    void shouldLetAHigherUseTakeFromTheWindowOnlyWhereNothingElseIsFree() {
        pool(NOTHING);
        takeAll(PACK);
        CompletableFuture<Slab> run = waiting(PACK, 3 * SLAB);
        give(slabAt(9));
        give(slabAt(0));
        assertThat(region.offsetOf(take(SPILL, SLAB).segment())).isZero();
        assertThat(region.offsetOf(take(SPILL, SLAB).segment())).isEqualTo(9 * SLAB);
        for (int slot = 9; slot > 6; slot--) {
            give(slabAt(slot));
        }
        held.add(run.join());
    }

    @Test
    void shouldOpenTheWindowAgainWhenTheRunGivesUp() {
        SlabPool pool = pool(NOTHING);
        takeAll(PACK);
        CompletableFuture<Slab> run =
                CompletableFuture.supplyAsync(() -> pool.acquire(PACK, 3 * SLAB, Duration.ofMillis(200)), threads);
        Await.until("the run waits", () -> pool.waiting() == 1);
        give(slabAt(9));
        CompletableFuture<Slab> single = waiting(PACK, SLAB);
        assertThatThrownBy(run::join).hasCauseInstanceOf(HeadraceException.class);
        held.add(single.join());
    }

    @Test
    void shouldTellAboutShortageWithoutHoldingTheLock() {
        SlabPool pool = pool(NOTHING);
        takeAll(PACK);
        AtomicInteger told = new AtomicInteger();
        pool.onShortage(() -> {
            told.incrementAndGet();
            CompletableFuture.runAsync(() -> give(held.getFirst()), threads).join();
        });
        take(PACK, SLAB);
        assertThat(told).hasValue(1);
        assertThat(pool.tryAcquire(PACK, SLAB)).isNull();
        assertThat(told).hasValue(2);
        take(PACK, SLAB);
        assertThat(told).hasValue(2);
    }

    @Test
    void shouldForgetAWaiterWhoseListenerFails() {
        SlabPool pool = pool(NOTHING);
        takeAll(PACK);
        pool.onShortage(() -> {
            throw new IllegalArgumentException("listener");
        });
        assertThatThrownBy(() -> pool.acquire(PACK, SLAB, LONG)).hasMessage("listener");
        assertThat(pool.waiting()).isZero();
    }

    @Test
    void shouldEndAWaitOnInterruptAndLoseNothing() {
        SlabPool pool = pool(NOTHING);
        takeAll(PACK);
        Thread waiter = Thread.ofPlatform().start(() -> {
            assertThatThrownBy(() -> pool.acquire(PACK, SLAB, LONG)).hasMessageContaining("interrupted");
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        });
        Await.until("it waits", () -> pool.waiting() == 1);
        waiter.interrupt();
        Await.until("it ends", () -> !waiter.isAlive());
        assertThat(pool.waiting()).isZero();
        give(held.getFirst());
        take(PACK, SLAB);
    }

    @Test
    void shouldNameSlabsAndStacksStillOutWhenClosed() {
        System.setProperty(LeakTracker.DEBUG, "true");
        SlabPool pool = pool(NOTHING);
        Slab slab = take(OUTPUT, 2 * SLAB);
        assertThatThrownBy(pool::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("slab 8..9 of 8192 bytes for OUTPUT")
                .hasMessageContaining("SlabPoolTest");
        assertThatThrownBy(() -> pool.tryAcquire(PACK, 1)).hasMessageContaining("closed");
        give(slab);
    }

    @Test
    void shouldEndWaitsWhenClosed() {
        SlabPool pool = pool(NOTHING);
        takeAll(PACK);
        CompletableFuture<Slab> single = waiting(PACK, SLAB);
        assertThatThrownBy(pool::close).hasMessageContaining("10 slabs");
        assertThatThrownBy(single::join).hasRootCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldRevokeMemoryOfClosedSlabsInDebugMode() {
        System.setProperty(LeakTracker.DEBUG, "true");
        pool(NOTHING);
        Slab slab = take(PACK, SLAB);
        var escaped = slab.segment();
        escaped.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        give(slab);
        assertThatThrownBy(() -> escaped.get(ValueLayout.JAVA_BYTE, 0)).hasMessageContaining("closed");
    }

    private SlabPool pool(SetAside setAside) {
        SlabPool made = new SlabPool(region, SLAB, setAside, budget);
        pool = made;
        return made;
    }

    private SlabPool pool() {
        if (pool == null) {
            throw new AssertionError("no pool");
        }
        return pool;
    }

    private Slab take(SlabPool.Use use, long bytes) {
        Slab slab = pool().acquire(use, bytes, LONG);
        held.add(slab);
        return slab;
    }

    private int takeAll(SlabPool.Use use) {
        int count = 0;
        for (Slab slab = pool().tryAcquire(use, SLAB); slab != null; slab = pool().tryAcquire(use, SLAB)) {
            held.add(slab);
            count++;
        }
        return count;
    }

    private void give(Slab slab) {
        held.remove(slab);
        slab.close();
    }

    private Slab slabAt(int slot) {
        return held.stream().filter(slab -> slab.from() == slot).findFirst().orElseThrow();
    }

    /** Starts a wait and returns when the pool knows of it. */
    private CompletableFuture<Slab> waiting(SlabPool.Use use, long bytes) {
        int before = pool().waiting();
        CompletableFuture<Slab> wait = CompletableFuture.supplyAsync(() -> pool().acquire(use, bytes, LONG), threads);
        Await.until("a thread waits for " + use, () -> pool().waiting() == before + 1);
        return wait;
    }
}
