package dev.headrace.engine;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/**
 * One shuffle at one rank, owned by its {@link Engine}; every method may be called from any thread.
 *
 * <p>Life: {@code insert}* → {@code finish} (once) → {@code completed}/{@code await} → {@code fetch}* → {@code release}
 * per partition → {@code close}. A failure anywhere ends every call with the same error.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Shuffle implements AutoCloseable {

    /**
     * Takes one batch: partitions it and packs it into frames before it returns, so the memory may go afterwards. Waits
     * only briefly when memory is short; then the caller offers the same batch again and it goes on where it stopped.
     *
     * @param batch number of the batch, unique in the shuffle; inserting one twice counts once
     * @param ipc an Arrow IPC stream or file
     */
    public InsertResult insert(long batch, MemorySegment ipc) {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the input of this rank: waits until all named batches are in, checks their rows, and promises every owner
     * what it will get.
     *
     * @return the rows that this rank has promised to all owners together
     */
    public long finish(long[] batches, long rows) {
        throw new UnsupportedOperationException();
    }

    /**
     * Own partitions in the order in which they became complete, from the {@code from}-th on. Waits until there is at
     * least one, or all are listed, or the time is over (then the array is empty).
     */
    public int[] completed(int from, Duration timeout) {
        throw new UnsupportedOperationException();
    }

    /**
     * A byte range of the Arrow IPC stream of a complete partition of this rank. The same page may be fetched again
     * until the partition is released.
     */
    public Page fetch(int partition, int page) {
        throw new UnsupportedOperationException();
    }

    /** The partition was delivered: frees its memory and disk. Releasing it again does nothing. */
    public void release(int partition) {
        throw new UnsupportedOperationException();
    }

    /** Ends the shuffle here and on all peers with the given error. */
    public void abort(HeadraceException cause) {
        throw new UnsupportedOperationException();
    }

    /** Frees all that is left. Late frames for this shuffle are dropped. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
