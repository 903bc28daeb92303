package dev.headrace.memory;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One contiguous piece of host memory that other processes of the same user and node can read through
 * {@code /proc/<pid>/fd/<fd>}. The engine makes it, owns it and closes it after everything that lies in it; any thread
 * may read and write it. It has no name and vanishes with the process and its last reader. Its pages are given by the
 * system when they are first touched, so an unused region costs nothing.
 */
public final class SharedRegion implements AutoCloseable {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private final Arena arena;
    private final UnlinkedFile file;
    private final MemorySegment segment;
    private final String identity;

    private SharedRegion(Arena arena, UnlinkedFile file, MemorySegment segment, String identity) {
        this.arena = arena;
        this.file = file;
        this.segment = segment;
        this.identity = identity;
    }

    /** Makes a region of exactly this many bytes, all zero. */
    @SuppressWarnings("MustBeClosedChecker") // the region owns the arena
    public static SharedRegion create(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a shared region needs at least 1 byte, not " + bytes);
        }
        Arena arena = Arena.ofShared();
        UnlinkedFile file = null;
        try {
            file = newFile();
            file.resize(bytes);
            MemorySegment segment = map(file, bytes, arena);
            adviseHugePages(segment);
            String identity = identityOf(pathOf(ownPid(), file.fileDescriptor()));
            SharedRegion region = new SharedRegion(arena, file, segment, identity);
            LeakTracker.opened(region);
            return region;
        } catch (IOException e) {
            arena.close();
            closeQuietly(file, e);
            throw new HeadraceException(
                    Category.OUT_OF_MEMORY,
                    Action.FAIL_SHUFFLE,
                    HeadraceException.NO_RANK,
                    "can't make a shared region of " + bytes + " bytes: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Opens a peer's region for reading. Fails if the process is gone, is another user's, or lives in another
     * container.
     */
    public static FileChannel openOf(long pid, int fd) throws IOException {
        return FileChannel.open(pathOf(pid, fd), StandardOpenOption.READ);
    }

    /**
     * Opens a peer's region for reading and makes sure that it is the peer's: in another container the same process
     * number and descriptor may well be some other region.
     *
     * @param identity what {@link #identity()} of the peer's region says
     */
    public static FileChannel openOf(long pid, int fd, String identity) throws IOException {
        String found = identityOf(pathOf(pid, fd));
        if (!found.equals(identity)) {
            throw new IOException("descriptor " + fd + " of process " + pid + " is " + found + ", not " + identity);
        }
        return openOf(pid, fd);
    }

    /** All of it; slices of it stay valid until the region is closed, then they throw. */
    public MemorySegment segment() {
        return segment;
    }

    public int fileDescriptor() {
        return file.fileDescriptor();
    }

    /** The process number of this process, as its own namespace sees it. */
    public long pid() {
        return ownPid();
    }

    /** Names this region among all of this node, for {@link #openOf(long, int, String)}; at most 100 characters. */
    public String identity() {
        return identity;
    }

    /** Whether all bytes of the given memory lie in this region. */
    public boolean contains(MemorySegment memory) {
        if (!memory.isNative()) {
            return false;
        }
        long offset = memory.address() - segment.address();
        return offset >= 0 && memory.byteSize() <= segment.byteSize() - offset;
    }

    /** Where the given memory begins in this region, in bytes. */
    public long offsetOf(MemorySegment memory) {
        if (!contains(memory)) {
            throw new IllegalArgumentException(memory + " is not part of " + this);
        }
        return memory.address() - segment.address();
    }

    /**
     * Has the system provide the pages of a range now, so that the cost of the first touch (0.7 s per GiB on a virtual
     * machine) falls where it hurts least; what the range holds stays as it is.
     *
     * @return whether it did; where it can't, the pages come at first use
     */
    public boolean touch(long offsetBytes, long bytes) {
        try {
            Posix.advise(segment.asSlice(offsetBytes, bytes), Posix.MADV_POPULATE_WRITE);
            return true;
        } catch (PosixException e) {
            return false;
        }
    }

    @Override
    public void close() {
        arena.close();
        try {
            file.close();
        } catch (IOException e) {
            throw HeadraceException.internal("can't close " + this, e);
        } finally {
            LeakTracker.closed(this);
        }
    }

    @Override
    public String toString() {
        return "shared region of " + segment.byteSize() + " bytes, descriptor " + file.fileDescriptor();
    }

    private static UnlinkedFile newFile() throws IOException {
        try {
            return UnlinkedFile.inMemory("headrace");
        } catch (IOException noMemoryFile) {
            return fallback(noMemoryFile, List.of(Path.of("/dev/shm"), Path.of("/tmp")));
        }
    }

    static UnlinkedFile fallback(IOException cause, List<Path> directories) throws IOException {
        for (Path directory : directories) {
            try {
                return UnlinkedFile.inDirectory(directory);
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }
        throw cause;
    }

    private static MemorySegment map(UnlinkedFile file, long bytes, Arena arena) throws IOException {
        Path path = pathOf(ownPid(), file.fileDescriptor());
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        }
    }

    private static void adviseHugePages(MemorySegment segment) {
        try {
            Posix.advise(segment, Posix.MADV_HUGEPAGE);
        } catch (PosixException e) {
            // a kernel without huge pages for shared memory: slower to touch, otherwise the same
        }
    }

    /** The node's boot, the file's device and its number on it: the same seen from any container of the node. */
    private static String identityOf(Path path) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, "unix:dev,ino");
        return Files.readString(BOOT).strip() + "/" + attributes.get("dev") + "/" + attributes.get("ino");
    }

    private static Path pathOf(long pid, int fd) {
        return Path.of("/proc/" + pid + "/fd/" + fd);
    }

    private static long ownPid() {
        return ProcessHandle.current().pid();
    }

    private static void closeQuietly(@Nullable UnlinkedFile file, IOException cause) {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }
    }
}
