package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.memory.Deadline;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;

/**
 * How far one batch has come at one rank, so that an insert that found the rank full goes on where it stopped and a
 * batch that comes twice counts once. Used by one thread at a time, the one that has {@link #enter entered}.
 */
final class BatchProgress {
    /**
     * A batch of more than 1 MiB is told from another by this many samples: looking at all of it took 9 % of the
     * processor time of a shuffle in memory, and again for each offer that found the rank full.
     */
    private static final int SAMPLES = 256;

    private static final long SAMPLE_BYTES = 4096;

    private final long batch;
    private final ReentrantLock lock = new ReentrantLock();
    private long bytes = -1;
    private long checksum;
    private volatile boolean done;

    /** Chunks of the batch that are packed, the rows in them, and the pieces that they were. */
    int chunk;

    long rowsOfChunksBefore;
    int piece;

    /** Where in the current chunk the current piece starts. */
    long row;

    /** Rows of the current piece, in the order of their partitions, that are packed, and the blocks of the owner. */
    int packedOfPiece;

    int owner;
    int block;

    BatchProgress(long batch) {
        this.batch = batch;
    }

    long batch() {
        return batch;
    }

    /** Takes the turn; false if another thread is still at this batch when the time is over. */
    boolean enter(Deadline until) {
        try {
            return lock.tryLock(Math.max(0, until.remainingNanos()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void leave() {
        lock.unlock();
    }

    /** Remembers the batch the first time, and refuses another after that, as far as a sample of its bytes tells. */
    void checkSame(MemorySegment ipc) {
        long found = checksum(ipc);
        if (bytes < 0) {
            bytes = ipc.byteSize();
            checksum = found;
        } else if (bytes != ipc.byteSize() || checksum != found) {
            throw HeadraceException.invalidInput(
                    "batch " + batch + " was inserted before with other rows: " + bytes + " bytes then, "
                            + ipc.byteSize() + " bytes now" + (bytes == ipc.byteSize() ? ", which differ" : ""));
        }
    }

    /** Of all bytes of a batch, or of {@link #SAMPLES} places of a large one and its end. */
    private static long checksum(MemorySegment ipc) {
        CRC32C crc = new CRC32C();
        long size = ipc.byteSize();
        if (size <= SAMPLES * SAMPLE_BYTES) {
            crc.update(ipc.asByteBuffer());
            return crc.getValue();
        }
        for (int i = 0; i < SAMPLES; i++) {
            crc.update(ipc.asSlice(size / SAMPLES * i, SAMPLE_BYTES).asByteBuffer());
        }
        crc.update(ipc.asSlice(size - SAMPLE_BYTES).asByteBuffer());
        return crc.getValue();
    }

    boolean isDone() {
        return done;
    }

    /** Rows of the whole batch, once it is done. */
    long rows() {
        return rowsOfChunksBefore;
    }

    void nextChunk(long rowsOfChunk) {
        chunk++;
        rowsOfChunksBefore += rowsOfChunk;
        row = 0;
    }

    void nextPiece(int rowsOfPiece) {
        row += rowsOfPiece;
        piece++;
        packedOfPiece = 0;
        owner = 0;
        block = 0;
    }

    void nextOwner() {
        owner++;
        block = 0;
    }

    void nextBlock(int rowsOfBlock) {
        packedOfPiece += rowsOfBlock;
        block++;
    }

    void finish() {
        done = true;
    }
}
