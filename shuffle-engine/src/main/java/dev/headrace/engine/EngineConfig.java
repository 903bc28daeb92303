package dev.headrace.engine;

import dev.headrace.HeadraceException;
import java.nio.file.Path;
import java.util.List;

/**
 * Settings of one engine, checked when made and read-only after.
 *
 * @param rank this rank's number, 0 to {@code ranks - 1}
 * @param ranks how many ranks work together
 * @param incarnation which life of this rank it is; grows with every restart
 * @param memoryLimitBytes all off-heap bytes that the engine may use; at least {@link #leastMemoryBytes}
 * @param spillDirectories where spill files go, used in turn; at least one
 */
public record EngineConfig(int rank, int ranks, long incarnation, long memoryLimitBytes, List<Path> spillDirectories) {

    /** Memory moves in slabs of this size; a frame fills one. 1 MiB is where a send costs far more than its headers. */
    public static final int SLAB_BYTES = 1 << 20;

    public EngineConfig {
        spillDirectories = List.copyOf(spillDirectories);
        if (ranks < 1 || rank < 0 || rank >= ranks) {
            throw HeadraceException.invalidInput("rank is " + rank + ", must be from 0 to ranks - 1 = " + (ranks - 1));
        }
        if (memoryLimitBytes < leastMemoryBytes(ranks)) {
            throw HeadraceException.invalidInput("memory_limit is " + memoryLimitBytes + " bytes, but a rank among "
                    + ranks + " needs at least " + leastMemoryBytes(ranks) + " bytes");
        }
        if (spillDirectories.isEmpty()) {
            throw HeadraceException.invalidInput("spill_directories is empty, at least one directory is needed");
        }
    }

    /**
     * The least limit, in bytes, that a rank among {@code ranks} can work with: the 8 slabs that are set aside, an open
     * frame for each owner, and 4 slabs to work with.
     */
    public static long leastMemoryBytes(int ranks) {
        return (long) (12 + ranks) * SLAB_BYTES;
    }
}
