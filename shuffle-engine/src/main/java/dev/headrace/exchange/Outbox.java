package dev.headrace.exchange;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.spill.SpillStore;
import dev.headrace.spill.Spillable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves frames that wait for their owner's credit to disk and back. A frame on its way there or back is in no queue, so
 * only one thread at a time has it. Runs on the spill thread, and asks the progress thread for frames.
 */
final class Outbox implements Spillable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long a restore keeps the spill thread waiting before others, who may free memory, have their turn. */
    private static final Duration TURN = Duration.ofMillis(20);

    private final SlabPool pool;
    private final SpillStore disk;
    private final Executor spillThread;
    private final Statistics statistics;
    private final FrameSender sender;
    private final LongSupplier onTheirWay;

    Outbox(
            SlabPool pool,
            SpillStore disk,
            Executor spillThread,
            Statistics statistics,
            FrameSender sender,
            LongSupplier onTheirWay) {
        this.pool = pool;
        this.disk = disk;
        this.spillThread = spillThread;
        this.statistics = statistics;
        this.sender = sender;
        this.onTheirWay = onTheirWay;
    }

    @Override
    public long spillableBytes() {
        return onTheirWay.getAsLong();
    }

    @Override
    public long spill(long wantedBytes) {
        long freed = 0;
        while (freed < wantedBytes) {
            OutFrame frame = next();
            if (frame == null) {
                return freed;
            }
            try {
                frame.movedTo(disk.write(frame.segment()));
                statistics.add(Statistic.SPILLED_BYTES, frame.bytes());
                freed += frame.bytes();
            } finally {
                sender.returnFrame(frame, this);
            }
        }
        return freed;
    }

    private @Nullable OutFrame next() {
        CompletableFuture<Optional<OutFrame>> asked = new CompletableFuture<>();
        if (!sender.takeSpillable(asked, this)) {
            return null;
        }
        return asked.completeOnTimeout(Optional.empty(), PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join()
                .orElse(null);
    }

    private @Nullable Slab tryAcquire(OutFrame frame) {
        try {
            return pool.acquire(SlabPool.Use.SPILL, frame.bytes(), TURN);
        } catch (HeadraceException e) {
            if (e.category() == Category.DEADLINE) {
                return null;
            }
            throw e;
        }
    }

    /** Reads a frame back, then runs {@code then} on the spill thread, or {@code failed}. */
    void restore(OutFrame frame, Runnable then, Consumer<RuntimeException> failed) {
        spillThread.execute(() -> {
            try {
                Slab slab = tryAcquire(frame);
                if (slab == null) {
                    restore(frame, then, failed);
                    return;
                }
                frame.restoreTo(slab);
                statistics.add(Statistic.READ_BACK_BYTES, frame.bytes());
                then.run();
            } catch (RuntimeException e) {
                failed.accept(e);
            }
        });
    }
}
