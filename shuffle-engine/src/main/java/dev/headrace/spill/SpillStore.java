package dev.headrace.spill;

import java.lang.foreign.MemorySegment;

/**
 * Keeps bytes outside of memory for the life of this process; thread-safe. A seam: the engine writes to files, tests to
 * what fails when they want it to.
 */
public interface SpillStore extends AutoCloseable {

    /**
     * Writes all of the given bytes before it returns, so that the memory can be used again; blocks for I/O.
     *
     * @return what was written, owned by the caller
     * @throws dev.headrace.HeadraceException DISK_FULL if nothing takes the bytes, naming the directories
     */
    SpillExtent write(MemorySegment bytes);

    /** Bytes of the extents that are open. */
    long usedBytes();

    /** Bytes written so far. */
    long writtenBytes();

    /** Bytes read so far. */
    long readBytes();

    /** Frees everything; throws {@link IllegalStateException} if extents are open, which stay readable till closed. */
    @Override
    void close();
}
