package dev.headrace.spill;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.PosixException;
import dev.headrace.memory.Reservation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Spills to files without names, which vanish when the process does, however that ends; thread-safe. The engine owns it
 * and closes it after the extents. Writes go round over the directories, each appending to one file at a time; where a
 * directory is full or broken the next one takes the bytes. A file is closed when it is full and its last extent is
 * closed; the room of an extent goes back to the file system at once where that can punch holes.
 */
public final class FileSpillStore implements SpillStore {
    static final long ROTATE_BYTES = 256L << 20;

    /** What says something about a directory; anything else that a write may meet is a fault of ours. */
    private static final Set<Integer> NEXT_DIRECTORY = Set.of(
            PosixException.ENOSPC,
            PosixException.EDQUOT,
            PosixException.EIO,
            PosixException.EROFS,
            PosixException.EFBIG,
            PosixException.ENOENT,
            PosixException.EACCES,
            PosixException.EMFILE,
            PosixException.ENFILE);

    private final List<SpillDirectory> directories;
    private final MemoryBudget disk;
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicLong openExtents = new AtomicLong();
    private final AtomicLong usedBytes = new AtomicLong();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder readBytes = new LongAdder();

    /**
     * @param directories where to write, at least one; each must exist and take files, else INVALID_INPUT
     * @param disk counts and limits the bytes of all open extents
     */
    public FileSpillStore(List<Path> directories, MemoryBudget disk) {
        this(directories, disk, ROTATE_BYTES);
    }

    FileSpillStore(List<Path> directories, MemoryBudget disk, long rotateBytes) {
        if (directories.isEmpty()) {
            throw HeadraceException.invalidInput("no spill directory is given");
        }
        this.directories = directories.stream()
                .map(path -> new SpillDirectory(path, rotateBytes))
                .toList();
        this.disk = disk;
    }

    @Override
    public SpillExtent write(MemorySegment bytes) {
        long length = bytes.byteSize();
        Reservation reservation = disk.tryReserve(length);
        if (reservation == null) {
            throw HeadraceException.diskFull("spilling " + length + " bytes would pass the limit of "
                    + disk.limitBytes() + " bytes on disk, of which " + disk.usedBytes() + " are used");
        }
        boolean kept = false;
        try {
            SpillDirectory.Place place = append(bytes);
            kept = true;
            openExtents.incrementAndGet();
            usedBytes.addAndGet(length);
            writtenBytes.add(length);
            return new FileExtent(this, place, length, reservation);
        } finally {
            if (!kept) {
                reservation.close();
            }
        }
    }

    @Override
    public long usedBytes() {
        return usedBytes.get();
    }

    @Override
    public long writtenBytes() {
        return writtenBytes.sum();
    }

    @Override
    public long readBytes() {
        return readBytes.sum();
    }

    @Override
    public void close() {
        directories.forEach(SpillDirectory::close);
        if (openExtents.get() > 0) {
            throw new IllegalStateException(
                    openExtents + " extents of " + usedBytes + " bytes are still open in " + paths());
        }
    }

    void countRead(long bytes) {
        readBytes.add(bytes);
    }

    void countClosed(long bytes) {
        usedBytes.addAndGet(-bytes);
        openExtents.decrementAndGet();
    }

    private SpillDirectory.Place append(MemorySegment bytes) {
        int first = Math.floorMod(turn.getAndIncrement(), directories.size());
        List<IOException> refusals = new ArrayList<>();
        for (int i = 0; i < directories.size(); i++) {
            SpillDirectory directory = directories.get((first + i) % directories.size());
            try {
                return directory.append(bytes);
            } catch (PosixException e) {
                if (!NEXT_DIRECTORY.contains(e.errorNumber())) {
                    throw HeadraceException.internal(
                            "can't spill " + bytes.byteSize() + " bytes to " + directory.path(), e);
                }
                refusals.add(e);
            } catch (IOException e) {
                refusals.add(e);
            }
        }
        throw diskFull(bytes.byteSize(), refusals);
    }

    private HeadraceException diskFull(long bytes, List<IOException> refusals) {
        List<String> reasons = refusals.stream().map(IOException::getMessage).toList();
        HeadraceException failure = new HeadraceException(
                Category.DISK_FULL,
                Action.FAIL_SHUFFLE,
                HeadraceException.NO_RANK,
                "no spill directory takes " + bytes + " bytes: " + String.join("; ", reasons) + " (directories: "
                        + paths() + "; " + usedBytes + " bytes are spilled)",
                refusals.getFirst());
        refusals.stream().skip(1).forEach(failure::addSuppressed);
        return failure;
    }

    private List<Path> paths() {
        return directories.stream().map(SpillDirectory::path).toList();
    }
}
