package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Exchange;
import dev.headrace.exchange.Inbox;
import dev.headrace.exchange.Owners;
import dev.headrace.memory.Deadline;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.FrameHeader;
import dev.headrace.pack.FrameWriter;
import dev.headrace.pack.Layout;
import dev.headrace.transport.PeerId;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * The frames of one shuffle that are being filled, one per owner, and the count of what went into them. A full frame is
 * sealed and moves on to the exchange, or to the own inbox. Owns the slabs of open frames; thread-safe, one lock per
 * owner.
 */
final class OpenFrames implements AutoCloseable {
    private final ShuffleSpec spec;
    private final EngineConfig config;
    private final PeerId self;
    private final Owners owners;
    private final SlabPool pool;
    private final Exchange exchange;
    private final Inbox inbox;
    private final Statistics statistics;
    private final Runnable flushAll;
    private final OpenFrame[] frames;
    private final AtomicLongArray promised;
    private final AtomicLong sequence = new AtomicLong();

    /** @param flushAll seals idle frames of all shuffles when memory is short */
    OpenFrames(
            ShuffleSpec spec,
            EngineConfig config,
            SlabPool pool,
            Exchange exchange,
            Inbox inbox,
            Statistics statistics,
            Runnable flushAll) {
        this.spec = spec;
        this.config = config;
        this.self = new PeerId(config.rank(), config.incarnation());
        this.owners = spec.owners(config.ranks());
        this.pool = pool;
        this.exchange = exchange;
        this.inbox = inbox;
        this.statistics = statistics;
        this.flushAll = flushAll;
        this.promised = new AtomicLongArray(owners.numbers());
        this.frames = new OpenFrame[config.ranks()];
        for (int owner = 0; owner < frames.length; owner++) {
            frames[owner] = new OpenFrame(owner);
        }
    }

    Owners owners() {
        return owners;
    }

    /** Rows that went to each partition of the owner so far. */
    long[] rowsFor(int owner) {
        long[] rows = new long[owners.count(owner)];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = promised.get(owners.first(owner) + i);
        }
        return rows;
    }

    /** The keys of all blocks that went to the owner; call it when no insert runs. */
    Roaring64Bitmap blocksFor(int owner) {
        return frames[owner].blocks;
    }

    void count(int partition, int rows) {
        promised.addAndGet(partition, rows);
    }

    /**
     * Writes the block that the builder holds into the owner's frame.
     *
     * @return false if there was no memory for a frame before the time was over; then nothing has changed
     */
    boolean append(int owner, Layout layout, BlockBuilder builder, long key, Deadline until) {
        return frames[owner].append(layout, builder, key, until);
    }

    /** Seals what is open, so that it can move on; skips frames that a thread is writing into. */
    void flushIdle() {
        for (OpenFrame frame : frames) {
            if (frame.lock.tryLock()) {
                try {
                    frame.seal();
                } finally {
                    frame.lock.unlock();
                }
            }
        }
    }

    void flush() {
        for (OpenFrame frame : frames) {
            frame.lock.lock();
            try {
                frame.seal();
            } finally {
                frame.lock.unlock();
            }
        }
    }

    /** Sends bytes that are no blocks in a frame of their own, waiting for memory as long as the shuffle has time. */
    void sendManifestPage(int owner, byte[] page, Duration timeout) {
        Layout none = Layout.of(List.of());
        Slab slab = pool.acquire(SlabPool.Use.PACK, EngineConfig.SLAB_BYTES, timeout);
        FrameWriter writer = new FrameWriter(none, slab.segment());
        writer.nextBlock(page.length).copyFrom(MemorySegment.ofArray(page));
        move(owner, slab, seal(owner, writer, FrameHeader.Kind.MANIFEST));
    }

    private long seal(int owner, FrameWriter writer, FrameHeader.Kind kind) {
        FrameHeader header = header(kind);
        return owner == self.rank() ? writer.sealForThisProcess(header) : writer.seal(header);
    }

    private FrameHeader header(FrameHeader.Kind kind) {
        return new FrameHeader(kind, spec.wireId(), self.rank(), self.incarnation(), sequence.getAndIncrement());
    }

    private void move(int owner, Slab slab, long bytes) {
        if (owner == self.rank()) {
            statistics.add(Statistic.LOCAL_BYTES, bytes);
            inbox.accept(self, slab, bytes);
        } else {
            exchange.send(owner, spec.wireId(), slab, bytes);
        }
    }

    @Override
    public void close() {
        for (OpenFrame frame : frames) {
            frame.lock.lock();
            try {
                frame.discard();
            } finally {
                frame.lock.unlock();
            }
        }
    }

    private final class OpenFrame {
        private final int owner;
        private final ReentrantLock lock = new ReentrantLock();
        private final Roaring64Bitmap blocks = new Roaring64Bitmap();
        private @Nullable Slab slab;
        private @Nullable FrameWriter writer;
        private long fingerprint;

        OpenFrame(int owner) {
            this.owner = owner;
        }

        boolean append(Layout layout, BlockBuilder builder, long key, Deadline until) {
            long bytes = builder.bytes();
            Slab spare = null;
            try {
                while (true) {
                    lock.lock();
                    try {
                        if (writer != null && (fingerprint != layout.fingerprint() || writer.freeBytes() < bytes)) {
                            seal();
                        }
                        if (writer == null && spare != null) {
                            open(layout, spare);
                            spare = null;
                        }
                        if (writer != null) {
                            builder.write(writer.nextBlock(bytes));
                            blocks.add(key);
                            return true;
                        }
                    } finally {
                        lock.unlock();
                    }
                    spare = acquire(FrameWriter.frameBytes(layout, bytes), until);
                    if (spare == null) {
                        return false;
                    }
                }
            } finally {
                if (spare != null) {
                    spare.close();
                }
            }
        }

        private @Nullable Slab acquire(long bytes, Deadline until) {
            long wanted = Math.max(bytes, EngineConfig.SLAB_BYTES);
            long most = pool.largestBytes(SlabPool.Use.PACK) / 2;
            if (wanted > Math.max(most, EngineConfig.SLAB_BYTES)) {
                throw HeadraceException.outOfMemory("a row takes " + bytes + " bytes, but memory_limit "
                        + config.memoryLimitBytes() + " leaves room for rows of at most " + most + " bytes");
            }
            Slab slab = pool.tryAcquire(SlabPool.Use.PACK, wanted);
            if (slab != null) {
                return slab;
            }
            flushAll.run();
            long start = System.nanoTime();
            try {
                return Patience.acquireForPacking(pool, wanted, until);
            } finally {
                statistics.add(Statistic.WAIT_MEMORY_TIME, System.nanoTime() - start);
            }
        }

        private void open(Layout layout, Slab taken) {
            slab = taken;
            writer = new FrameWriter(layout, taken.segment());
            fingerprint = layout.fingerprint();
        }

        void seal() {
            if (writer == null || slab == null) {
                return;
            }
            Slab full = slab;
            long bytes = OpenFrames.this.seal(owner, writer, FrameHeader.Kind.DATA);
            writer = null;
            slab = null;
            statistics.add(Statistic.PACKED_BYTES, bytes);
            move(owner, full, bytes);
        }

        void discard() {
            if (slab != null) {
                slab.close();
                slab = null;
                writer = null;
            }
        }
    }
}
