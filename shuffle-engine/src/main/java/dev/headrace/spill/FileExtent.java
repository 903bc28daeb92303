package dev.headrace.spill;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.Reservation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** An extent in a file. Its owner closes it; the lock keeps a read from running into a file that was closed. */
final class FileExtent implements SpillExtent {
    private final FileSpillStore store;
    private final SpillDirectory.Place place;
    private final long bytes;
    private final Reservation reservation;
    private final Object lock = new Object();
    private boolean closed;

    FileExtent(FileSpillStore store, SpillDirectory.Place place, long bytes, Reservation reservation) {
        this.store = store;
        this.place = place;
        this.bytes = bytes;
        this.reservation = reservation;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public void read(long offsetBytes, MemorySegment target) {
        Objects.checkFromIndexSize(offsetBytes, target.byteSize(), bytes);
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("closed: " + this);
            }
            place.file().hold();
        }
        try {
            place.file().read(place.position() + offsetBytes, target);
        } catch (IOException e) {
            throw new HeadraceException(
                    Category.CORRUPT_DATA,
                    Action.FAIL_SHUFFLE,
                    HeadraceException.NO_RANK,
                    "can't read " + target.byteSize() + " bytes at " + offsetBytes + " of " + this + ": "
                            + e.getMessage(),
                    e);
        } finally {
            place.file().letGo();
        }
        store.countRead(target.byteSize());
    }

    @Override
    public void close() {
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("closed twice: " + this);
            }
            closed = true;
        }
        place.file().discard(place.position(), bytes);
        reservation.close();
        store.countClosed(bytes);
    }

    @Override
    public String toString() {
        return "extent of " + bytes + " bytes in " + place.directory().path();
    }
}
