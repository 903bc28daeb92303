package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.transport.ucx.JobKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a {@link ShuffleDriver} is made of; immutable, checked when made. Begin with {@link #of} and change what
 * differs.
 *
 * @param ranks how many ranks work together
 * @param memoryLimitBytes all off-heap memory of one rank
 * @param heapBytes the heap of one rank's JVM
 * @param spillDirectories where ranks put what does not fit their memory, used in turn
 * @param transport {@code ucx}
 * @param nativeDirectory where UCX's shared libraries lie on every node; empty if they are installed beside the jar
 * @param netDevices network devices that UCX may use, comma-separated, as UCX names them or by address; ranks listen on
 *     the first; empty for the network that Ray uses
 * @param javaHome a Java 25 on every node
 * @param jars Headrace's jars on every node; empty if the job's code search path has them
 * @param peerTimeout how long a rank may be silent before its peers give it up
 * @param startTimeout how long the ranks may take to start, and then to connect
 * @param sharedSlabs whether ranks of one node hand over bodies in shared memory
 */
public record DriverSettings(
        int ranks,
        long memoryLimitBytes,
        long heapBytes,
        List<Path> spillDirectories,
        String transport,
        String nativeDirectory,
        String netDevices,
        Path javaHome,
        List<Path> jars,
        Duration peerTimeout,
        Duration startTimeout,
        boolean sharedSlabs) {

    /** The network that Ray uses, found by each rank. */
    private static final String RAYS_NETWORK = "";

    private static final long DEFAULT_HEAP_BYTES = 256L << 20;
    private static final Duration DEFAULT_PEER_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration DEFAULT_START_TIMEOUT = Duration.ofSeconds(30);

    public DriverSettings {
        spillDirectories = List.copyOf(spillDirectories);
        jars = List.copyOf(jars);
        if (ranks < 1) {
            throw HeadraceException.invalidInput("ranks is " + ranks + ", must be at least 1");
        }
        if (memoryLimitBytes < 1) {
            throw HeadraceException.invalidInput("memory_limit is " + memoryLimitBytes + ", must be at least 1");
        }
        if (spillDirectories.isEmpty()) {
            throw HeadraceException.invalidInput("spill_directories is empty, at least one directory is needed");
        }
    }

    /** Ranks that use this JVM's Java, the jar that this class is in, and the UCX beside it. */
    public static DriverSettings of(int ranks, long memoryLimitBytes, List<Path> spillDirectories) {
        return new DriverSettings(
                ranks,
                memoryLimitBytes,
                DEFAULT_HEAP_BYTES,
                spillDirectories,
                "ucx",
                Installation.nativeDirectory(),
                RAYS_NETWORK,
                Path.of(System.getProperty("java.home")),
                Installation.jars(),
                DEFAULT_PEER_TIMEOUT,
                DEFAULT_START_TIMEOUT,
                true);
    }

    public DriverSettings withTransport(String name, String libraries, String devices) {
        return new DriverSettings(
                ranks,
                memoryLimitBytes,
                heapBytes,
                spillDirectories,
                name,
                libraries,
                devices,
                javaHome,
                jars,
                peerTimeout,
                startTimeout,
                sharedSlabs);
    }

    public DriverSettings withJava(Path home, long heap) {
        return new DriverSettings(
                ranks,
                memoryLimitBytes,
                heap,
                spillDirectories,
                transport,
                nativeDirectory,
                netDevices,
                home,
                jars,
                peerTimeout,
                startTimeout,
                sharedSlabs);
    }

    public DriverSettings withTimeouts(Duration peer, Duration start) {
        return new DriverSettings(
                ranks,
                memoryLimitBytes,
                heapBytes,
                spillDirectories,
                transport,
                nativeDirectory,
                netDevices,
                javaHome,
                jars,
                peer,
                start,
                sharedSlabs);
    }

    /** What one rank is told. */
    RankSettings forRank(int rank, long incarnation, JobKey jobKey) {
        return new RankSettings(
                rank,
                ranks,
                incarnation,
                memoryLimitBytes,
                spillDirectories,
                transport,
                nativeDirectory,
                netDevices,
                jobKey,
                peerTimeout,
                startTimeout,
                sharedSlabs);
    }

    /** What one rank takes of Ray's {@code memory} resource. */
    long declaredBytes() {
        return Math.addExact(memoryLimitBytes, heapBytes);
    }
}
