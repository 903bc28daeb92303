package dev.headrace.testing;

import dev.headrace.HeadraceException;
import dev.headrace.spill.SpillExtent;
import dev.headrace.spill.SpillStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A store that is slow, fills up, or gives back a wrong bit when a test wants it to; thread-safe. Owns what it wraps.
 */
public final class FlakySpillStore implements SpillStore {
    private final SpillStore store;
    private final Random random;
    private final AtomicLong roomBytes = new AtomicLong(Long.MAX_VALUE);
    private volatile long longestDelayNanos;
    private volatile double corruptReads;

    /** The seed decides delays and wrong bits; print it. */
    public FlakySpillStore(SpillStore store, long seed) {
        this.store = store;
        this.random = new Random(seed);
    }

    /** From now on every call takes up to this long. */
    public FlakySpillStore delay(Duration longest) {
        longestDelayNanos = longest.toNanos();
        return this;
    }

    /** From now on this many bytes can be written, then the disk is full. */
    public FlakySpillStore diskFullAfter(long bytes) {
        roomBytes.set(bytes);
        return this;
    }

    /** From now on this share of the reads, from 0 to 1, comes back with one bit turned. */
    public FlakySpillStore corruptReads(double share) {
        corruptReads = share;
        return this;
    }

    @Override
    public SpillExtent write(MemorySegment bytes) {
        pause();
        long length = bytes.byteSize();
        if (roomBytes.getAndUpdate(room -> room >= length ? room - length : room) < length) {
            throw HeadraceException.diskFull("flaky store has no room for " + length + " bytes");
        }
        return new Extent(store.write(bytes));
    }

    @Override
    public long usedBytes() {
        return store.usedBytes();
    }

    @Override
    public long writtenBytes() {
        return store.writtenBytes();
    }

    @Override
    public long readBytes() {
        return store.readBytes();
    }

    @Override
    public void close() {
        store.close();
    }

    private void pause() {
        long longest = longestDelayNanos;
        if (longest > 0) {
            LockSupport.parkNanos(random.nextLong(longest));
        }
    }

    private final class Extent implements SpillExtent {
        private final SpillExtent extent;

        Extent(SpillExtent extent) {
            this.extent = extent;
        }

        @Override
        public long bytes() {
            return extent.bytes();
        }

        @Override
        public void read(long offsetBytes, MemorySegment target) {
            pause();
            extent.read(offsetBytes, target);
            if (target.byteSize() > 0 && random.nextDouble() < corruptReads) {
                long at = random.nextLong(target.byteSize());
                byte wrong = (byte) (target.get(ValueLayout.JAVA_BYTE, at) ^ (1 << random.nextInt(8)));
                target.set(ValueLayout.JAVA_BYTE, at, wrong);
            }
        }

        @Override
        public void close() {
            extent.close();
        }
    }
}
