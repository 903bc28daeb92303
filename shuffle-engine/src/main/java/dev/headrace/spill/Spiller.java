package dev.headrace.spill;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SlabPool;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy of spilling: when somebody could not get a slab, the largest holder moves its oldest memory to disk, until
 * a part of the pool is free again. Runs on the one spill thread.
 *
 * <p>Contract: a holder frees memory only after it was written, so nothing is lost when a write fails; no lock of a
 * holder is held during I/O; what goes wrong (disk full) is reported through the failure handler, after which memory
 * comes back because the shuffles fail. Nothing is written while frames on their way to peers are still draining and
 * the holders have less than half of the pool: such a shortage ends by itself. What waits for peers is written last.
 */
public final class Spiller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spiller.class);

    /** One spill moves at most this share of the pool, so that memory comes back while the next one is written. */
    private static final int RUN_SHARE = 4;

    /** Spilling goes on until this share of the pool is free. */
    private static final int FREE_SHARE = 8;

    private final Executor thread;
    private final SlabPool pool;
    private final long limitBytes;
    private final long setAsideBytes;
    private final Spillable outbox;
    private final LongSupplier drainingBytes;
    private final Consumer<HeadraceException> onFailure;
    private final List<Spillable> holders = new CopyOnWriteArrayList<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean stopping;

    /**
     * Listens to the pool.
     *
     * @param thread runs one task at a time
     * @param setAsideBytes what the pool keeps for landings and above; below that spilling can't wait
     * @param outbox what waits for peers to take it
     * @param drainingBytes how many bytes are on their way to peers
     * @param onFailure called on the spill thread when a spill failed
     */
    public Spiller(
            Executor thread,
            SlabPool pool,
            long limitBytes,
            long setAsideBytes,
            Spillable outbox,
            LongSupplier drainingBytes,
            Consumer<HeadraceException> onFailure) {
        this.thread = thread;
        this.pool = pool;
        this.limitBytes = limitBytes;
        this.setAsideBytes = setAsideBytes;
        this.outbox = outbox;
        this.drainingBytes = drainingBytes;
        this.onFailure = onFailure;
        pool.onShortage(this::wake);
    }

    public void register(Spillable holder) {
        holders.add(holder);
    }

    public void unregister(Spillable holder) {
        holders.remove(holder);
    }

    private void wake() {
        if (!stopping && scheduled.compareAndSet(false, true)) {
            try {
                thread.execute(this::run);
            } catch (RejectedExecutionException e) {
                LOG.debug("spill thread is closed");
            }
        }
    }

    private void run() {
        scheduled.set(false);
        try {
            spill();
        } catch (HeadraceException e) {
            onFailure.accept(e);
        } catch (RuntimeException | Error e) {
            LOG.error("spilling failed", e);
            onFailure.accept(HeadraceException.internal("spilling failed: " + e, e));
        }
    }

    private void spill() {
        long freed = 1;
        while (freed > 0 && !stopping && isNeeded()) {
            freed = spillOne();
        }
    }

    private long spillOne() {
        for (Spillable holder : largestFirst()) {
            long freed = holder.spill(limitBytes / RUN_SHARE);
            if (freed > 0) {
                return freed;
            }
        }
        return outbox.spill(limitBytes / RUN_SHARE);
    }

    /** Sizes change while this runs, so each is asked once. */
    private List<Spillable> largestFirst() {
        record Sized(Spillable holder, long bytes) {}
        return holders.stream()
                .map(holder -> new Sized(holder, holder.spillableBytes()))
                .sorted(Comparator.comparingLong(Sized::bytes).reversed())
                .map(Sized::holder)
                .toList();
    }

    private boolean isNeeded() {
        long free = pool.freeBytes();
        if (free < setAsideBytes || pool.isRunAwaited()) {
            return true;
        }
        boolean drains = drainingBytes.getAsLong() > 0;
        return free < setAsideBytes + limitBytes / FREE_SHARE && (!drains || heldBytes() > limitBytes / 2);
    }

    private long heldBytes() {
        return holders.stream().mapToLong(Spillable::spillableBytes).sum();
    }

    @Override
    public void close() {
        stopping = true;
    }
}
