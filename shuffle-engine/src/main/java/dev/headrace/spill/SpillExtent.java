package dev.headrace.spill;

import java.lang.foreign.MemorySegment;

/**
 * What one {@link SpillStore#write} wrote. Its owner closes it, once, when the bytes are not needed any more; reads may
 * run on any thread, several at a time.
 */
public interface SpillExtent extends AutoCloseable {

    long bytes();

    /**
     * Fills the whole target from the given place of this extent on; blocks for I/O.
     *
     * @throws IndexOutOfBoundsException if the extent has fewer bytes
     * @throws dev.headrace.HeadraceException CORRUPT_DATA if the bytes can't be read back
     */
    void read(long offsetBytes, MemorySegment target);

    /** Gives the room back; a second call is a fault of the caller and throws {@link IllegalStateException}. */
    @Override
    void close();
}
