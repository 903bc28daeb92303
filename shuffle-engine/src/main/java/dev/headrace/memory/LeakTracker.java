package dev.headrace.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows every region and pool of this process that is open, for tests and for a person in front of a leak; thread-safe.
 * With the system property {@value #DEBUG} set to true when a pool is made, each of its slabs also remembers where it
 * was acquired, and memory that outlives its slab throws when it is touched. That costs tens of microseconds per slab.
 */
public final class LeakTracker {
    /** The name of the system property that turns the costly checks on. */
    public static final String DEBUG = "headrace.debug.memory";

    private static final Set<SharedRegion> REGIONS = ConcurrentHashMap.newKeySet();
    private static final Set<SlabPool> POOLS = ConcurrentHashMap.newKeySet();

    private LeakTracker() {}

    /** One line, with a stack if there is one, per region, pool and slab that is still open. */
    public static List<String> open() {
        List<String> lines = new ArrayList<>();
        for (SlabPool pool : POOLS) {
            lines.add(pool.toString());
            lines.addAll(pool.slabsOut());
        }
        for (SharedRegion region : REGIONS) {
            lines.add(region.toString());
        }
        return lines;
    }

    static void opened(SharedRegion region) {
        REGIONS.add(region);
    }

    static void closed(SharedRegion region) {
        REGIONS.remove(region);
    }

    static void opened(SlabPool pool) {
        POOLS.add(pool);
    }

    static void closed(SlabPool pool) {
        POOLS.remove(pool);
    }
}
