package dev.headrace.memory;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A file without a name, in memory or on disk: it is gone when the process is, however that ends. Its maker owns and
 * closes it, once, when no call runs on it any more. Reads and writes at given positions are safe from any thread and,
 * unlike those of a channel, unharmed by interrupts. Child processes do not inherit it.
 */
public final class UnlinkedFile implements AutoCloseable {
    private final String origin;
    private final int fileDescriptor;

    private UnlinkedFile(String origin, int fileDescriptor) {
        this.origin = origin;
        this.fileDescriptor = fileDescriptor;
    }

    /** A new file in memory; the name shows up in {@code /proc} only. */
    public static UnlinkedFile inMemory(String name) throws IOException {
        return new UnlinkedFile("memory", Posix.createMemoryFile(name));
    }

    /** A new file in the file system of the given directory, readable by its owner only. */
    public static UnlinkedFile inDirectory(Path directory) throws IOException {
        int flags = Posix.O_RDWR | Posix.O_CLOEXEC;
        try {
            int fd = Posix.open(directory.toString(), flags | Posix.O_TMPFILE, 0600);
            return new UnlinkedFile(directory.toString(), fd);
        } catch (PosixException unnamedNotSupported) {
            // NFS and older overlays have no O_TMPFILE; if the directory itself is at fault, this fails again, and says
            // so
            String path = directory.resolve(".headrace-" + UUID.randomUUID()).toString();
            int fd = Posix.open(path, flags | Posix.O_CREAT | Posix.O_EXCL, 0600);
            Posix.unlink(path);
            return new UnlinkedFile(directory.toString(), fd);
        }
    }

    public int fileDescriptor() {
        return fileDescriptor;
    }

    /** Makes the file this long; bytes that are new read as zero. */
    public void resize(long bytes) throws IOException {
        Posix.truncate(fileDescriptor, bytes);
    }

    /** Writes all of the source at the position. After a failure some of it may be there. */
    public void write(long position, MemorySegment source) throws IOException {
        if (!source.isNative()) {
            try (Arena arena = Arena.ofConfined()) {
                write(position, arena.allocate(source.byteSize()).copyFrom(source));
            }
            return;
        }
        long done = 0;
        while (done < source.byteSize()) {
            try {
                done += Posix.write(fileDescriptor, source.asSlice(done), position + done);
            } catch (PosixException e) {
                retryIfInterrupted(e);
            }
        }
    }

    /** Fills the whole target from the position on. */
    public void read(long position, MemorySegment target) throws IOException {
        if (!target.isNative()) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment copy = arena.allocate(target.byteSize());
                read(position, copy);
                target.copyFrom(copy);
            }
            return;
        }
        long done = 0;
        while (done < target.byteSize()) {
            try {
                long read = Posix.read(fileDescriptor, target.asSlice(done), position + done);
                if (read == 0) {
                    throw new EOFException("file of " + origin + " ends at " + (position + done) + ", "
                            + (target.byteSize() - done) + " bytes short");
                }
                done += read;
            } catch (PosixException e) {
                retryIfInterrupted(e);
            }
        }
    }

    /** Gives the room of a range back to the file system where it can; the range reads as zero or as it was. */
    public void discard(long position, long bytes) {
        try {
            Posix.allocate(fileDescriptor, Posix.FALLOC_FL_PUNCH_HOLE | Posix.FALLOC_FL_KEEP_SIZE, position, bytes);
        } catch (PosixException notSupported) {
            // then the room comes back when the file is closed
        }
    }

    @Override
    public void close() throws IOException {
        Posix.close(fileDescriptor);
    }

    @Override
    public String toString() {
        return "unlinked file of " + origin + ", descriptor " + fileDescriptor;
    }

    private static void retryIfInterrupted(PosixException e) throws PosixException {
        if (e.errorNumber() != PosixException.EINTR) {
            throw e;
        }
    }
}
