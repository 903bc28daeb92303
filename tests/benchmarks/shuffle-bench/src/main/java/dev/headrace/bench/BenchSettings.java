package dev.headrace.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * What one benchmark is asked to do.
 *
 * @param threads threads of one rank that insert, then fetch
 * @param memoryLimitBytes of one rank; 0 for enough to spill nothing
 * @param discardOutput whether a partition is released when it was fetched, or all of them at the end
 * @param nativeDirectory UCX's libraries, if ranks talk through UCX
 */
record BenchSettings(
        Communicator communicator,
        Workload workload,
        int ranks,
        int threads,
        long memoryLimitBytes,
        List<Path> spillDirectories,
        MemoryResource memoryResource,
        boolean discardOutput,
        Plan plan,
        int runs,
        int warmups,
        Path nativeDirectory,
        String netDevices) {

    long rowsOfAllRanks() {
        return ranks * workload.rows();
    }
}
