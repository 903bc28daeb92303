package dev.headrace.spill;

import dev.headrace.memory.UnlinkedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * One file that many extents lie in, one behind the other. Its directory and each extent, write and read hold it open;
 * whoever lets go last closes it. Thread-safe; the lock guards the numbers, not the I/O.
 */
final class SpillFile {
    private final UnlinkedFile file;
    private final Object lock = new Object();
    private long endBytes;
    /** The directory that appends to it is the first holder. */
    private int holders = 1;

    SpillFile(UnlinkedFile file) {
        this.file = file;
    }

    /** Appends and holds the file for what was written. After a failure nothing is held and the room is given back. */
    long append(MemorySegment bytes) throws IOException {
        long length = bytes.byteSize();
        long position;
        synchronized (lock) {
            position = endBytes;
            endBytes += length;
            holders++;
        }
        boolean written = false;
        try {
            file.write(position, bytes);
            written = true;
            return position;
        } finally {
            if (!written) {
                takeBack(position, length);
            }
        }
    }

    /** Fills the target. The caller has an open extent in this file, so it can't be closed before. */
    void read(long position, MemorySegment target) throws IOException {
        hold();
        try {
            file.read(position, target);
        } finally {
            letGo();
        }
    }

    /** Gives back the room of an extent and lets the file go. */
    void discard(long position, long bytes) {
        if (bytes > 0) {
            file.discard(position, bytes);
        }
        letGo();
    }

    long endBytes() {
        synchronized (lock) {
            return endBytes;
        }
    }

    void hold() {
        synchronized (lock) {
            holders++;
        }
    }

    void letGo() {
        synchronized (lock) {
            if (--holders > 0) {
                return;
            }
        }
        try {
            file.close();
        } catch (IOException e) {
            // Linux frees the descriptor whatever close says, and what the file held is not needed any more
        }
    }

    private void takeBack(long position, long length) {
        // first the blocks, then the room: the other way round, the hole could hit what someone else appended
        file.discard(position, length);
        synchronized (lock) {
            if (endBytes == position + length) {
                endBytes = position;
            }
        }
        letGo();
    }
}
