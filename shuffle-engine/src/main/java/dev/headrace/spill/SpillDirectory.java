package dev.headrace.spill;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.UnlinkedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One directory and the file in it that is written to now; thread-safe. Owned by the store, which closes it. */
final class SpillDirectory implements AutoCloseable {
    private final Path path;
    private final long rotateBytes;
    private final Object lock = new Object();
    private @Nullable SpillFile current;
    private boolean closed;

    SpillDirectory(Path path, long rotateBytes) {
        this.path = path;
        this.rotateBytes = rotateBytes;
        try {
            UnlinkedFile.inDirectory(path).close();
        } catch (IOException e) {
            throw new HeadraceException(
                    Category.INVALID_INPUT,
                    Action.FAIL_SHUFFLE,
                    HeadraceException.NO_RANK,
                    "can't write to spill directory " + path + ": " + e.getMessage(),
                    e);
        }
    }

    Path path() {
        return path;
    }

    Place append(MemorySegment bytes) throws IOException {
        SpillFile file = holdCurrent();
        try {
            return new Place(this, file, file.append(bytes));
        } finally {
            file.letGo();
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            if (current != null) {
                current.letGo();
                current = null;
            }
        }
    }

    /** The file to append to, held for the caller. Opening one under the lock is no wait for data. */
    private SpillFile holdCurrent() throws IOException {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("closed: spill directory " + path);
            }
            SpillFile file = current;
            if (file == null || file.endBytes() >= rotateBytes) {
                SpillFile next = new SpillFile(UnlinkedFile.inDirectory(path));
                if (file != null) {
                    file.letGo();
                }
                file = next;
                current = next;
            }
            file.hold();
            return file;
        }
    }

    /** Where an extent lies; its file is held for it. */
    record Place(SpillDirectory directory, SpillFile file, long position) {}
}
