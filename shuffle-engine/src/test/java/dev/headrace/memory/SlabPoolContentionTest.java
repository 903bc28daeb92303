package dev.headrace.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.SlabPool.SetAside;
import dev.headrace.memory.SlabPool.Use;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;

/** Several threads against one pool; a lost wake-up, a slot given twice or a starved use fails it. */
class SlabPoolContentionTest {
    private static final int SLAB = 4096;
    private static final int SLOTS = 24;
    private static final SetAside SET_ASIDE = new SetAside(4, 3, 2);
    private static final List<Use> USES = List.of(Use.values());
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SharedRegion region = SharedRegion.create(SLOTS * SLAB);
    private final MemoryBudget budget = new MemoryBudget(MemoryTier.HOST, SLOTS * SLAB);
    private final SlabPool pool = new SlabPool(region, SLAB, SET_ASIDE, budget);

    @RepeatedTest(3)
    void shouldServeEveryoneWhoeverCompetes() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed of shouldServeEveryoneWhoeverCompetes: " + seed);
        AtomicInteger timeouts = new AtomicInteger();
        runAll(seed, 6, random -> {
            for (int i = 0; i < 1500; i++) {
                Use use = USES.get(random.nextInt(4));
                boolean jumbo = random.nextInt(8) == 0;
                int most = Math.toIntExact(pool.largestBytes(use));
                long bytes = 8L + random.nextInt((jumbo ? most : SLAB) - 8);
                boolean hasty = random.nextInt(20) == 0;
                try (Slab slab = pool.acquire(use, bytes, hasty ? Duration.ofNanos(20_000) : PATIENCE)) {
                    useAlone(slab, random.nextLong());
                } catch (HeadraceException e) {
                    assertThat(e.category()).isEqualTo(Category.DEADLINE);
                    assertThat(hasty).as("%s bytes for %s: %s", bytes, use, e).isTrue();
                    timeouts.incrementAndGet();
                }
            }
        });
        System.out.println("waits that ended at their deadline: " + timeouts);
        assertThat(pool.freeBytes()).isEqualTo((long) SLOTS * SLAB);
        assertThat(budget.usedBytes()).isZero();
        assertThat(pool.waiting()).isZero();
        close();
    }

    /** Packers hoard what they get; each higher use must still get what is set aside for it, at once. */
    @RepeatedTest(2)
    void shouldNeverLetLowerUsesEatWhatIsSetAside() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed of shouldNeverLetLowerUsesEatWhatIsSetAside: " + seed);
        AtomicInteger thread = new AtomicInteger();
        runAll(seed, 5, random -> {
            boolean spiller = thread.getAndIncrement() == 0;
            Deque<Slab> hoard = new ArrayDeque<>();
            for (int i = 0; i < 3000; i++) {
                if (spiller) {
                    hoard.add(atOnce(Use.SPILL));
                    hoard.add(atOnce(Use.SPILL));
                    hoard.remove().close();
                    hoard.remove().close();
                    continue;
                }
                Slab slab = pool.tryAcquire(USES.get(random.nextInt(3)), 1 + random.nextInt(3 * SLAB));
                if (slab != null) {
                    hoard.add(slab);
                }
                if (!hoard.isEmpty() && (slab == null || random.nextBoolean())) {
                    hoard.remove().close();
                }
            }
            hoard.forEach(Slab::close);
        });
        close();
    }

    /** A stream of singles must not keep a run from ever being served. */
    @RepeatedTest(2)
    void shouldServeARunAgainstAStreamOfSingles() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed of shouldServeARunAgainstAStreamOfSingles: " + seed);
        AtomicInteger thread = new AtomicInteger();
        AtomicInteger runsLeft = new AtomicInteger(50);
        runAll(seed, 4, random -> {
            boolean jumbo = thread.getAndIncrement() == 0;
            Deque<Slab> held = new ArrayDeque<>();
            while (runsLeft.get() > 0) {
                if (jumbo) {
                    pool.acquire(Use.PACK, pool.largestBytes(Use.PACK), PATIENCE)
                            .close();
                    runsLeft.decrementAndGet();
                    continue;
                }
                Slab slab = pool.tryAcquire(Use.PACK, SLAB);
                if (slab == null) {
                    // who waits while he holds what the run needs waits for ever
                    held.forEach(Slab::close);
                    held.clear();
                    slab = pool.acquire(Use.PACK, SLAB, PATIENCE);
                }
                held.add(slab);
                if (held.size() > 4 + random.nextInt(4)) {
                    held.remove().close();
                }
            }
            held.forEach(Slab::close);
        });
        close();
    }

    private Slab atOnce(Use use) {
        Slab slab = pool.tryAcquire(use, SLAB);
        if (slab == null) {
            throw new AssertionError(use + " was refused with " + pool.freeBytes() / SLAB + " slabs free");
        }
        return slab;
    }

    /** Marks every slot of the slab and looks whether anyone else wrote meanwhile. */
    private static void useAlone(Slab slab, long mark) {
        MemorySegment memory = slab.segment();
        for (long at = 0; at + 8 <= memory.byteSize(); at += SLAB) {
            memory.set(ValueLayout.JAVA_LONG, at, mark);
        }
        if ((mark & 15) == 0) {
            Thread.onSpinWait();
        }
        for (long at = 0; at + 8 <= memory.byteSize(); at += SLAB) {
            assertThat(memory.get(ValueLayout.JAVA_LONG, at)).isEqualTo(mark);
        }
    }

    private interface Work {
        void run(Random random) throws Exception;
    }

    private static void runAll(long seed, int count, Work work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<Boolean>> runs = new ArrayList<>();
            for (int thread = 0; thread < count; thread++) {
                Random random = new Random(seed + thread);
                runs.add(threads.submit((Callable<Boolean>) () -> {
                    work.run(random);
                    return true;
                }));
            }
            for (Future<Boolean> run : runs) {
                assertThat(run.get(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private void close() {
        pool.close();
        region.close();
    }
}
