package dev.headrace.engine;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.Deadline;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Waits for memory to pack into, where not getting it in time is an answer and no failure. */
final class Patience {
    private Patience() {}

    /** Memory, or null if there was none before the time was over; OUT_OF_MEMORY if there can never be so much. */
    static @Nullable Slab acquireForPacking(SlabPool pool, long bytes, Deadline until) {
        try {
            return pool.acquire(SlabPool.Use.PACK, bytes, Duration.ofNanos(Math.max(0, until.remainingNanos())));
        } catch (HeadraceException e) {
            if (e.category() == Category.DEADLINE) {
                return null;
            }
            throw e;
        }
    }
}
