package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.memory.Deadline;
import dev.headrace.memory.Slab;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.pack.Block;
import dev.headrace.pack.Entry;
import dev.headrace.pack.Frame;
import dev.headrace.pack.FrameHeader;
import dev.headrace.spill.Spillable;
import dev.headrace.transport.PeerId;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one rank has received for its partitions of one shuffle: counts every block once, knows when a partition is
 * complete, and keeps blocks in memory or on disk until their partitions are released. Owns the slabs and extents that
 * it was given. Thread-safe; no I/O and no copying of rows under its lock.
 */
public final class Inbox implements Spillable, AutoCloseable {
    private final long wireId;
    private final int rank;
    private final Owners owners;
    private final Deadline deadline;
    private final Regrouper regrouper;
    private final Statistics statistics;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final BlockStore store = new BlockStore();
    private final Completion completion;
    private final PageCollector pages = new PageCollector();
    private @Nullable HeadraceException failure;
    private boolean closed;

    /** Empty, for the partitions that {@code rank} owns; everything must be there before the deadline. */
    public Inbox(long wireId, int rank, Owners owners, Deadline deadline, Regrouper regrouper, Statistics statistics) {
        this.wireId = wireId;
        this.rank = rank;
        this.owners = owners;
        this.deadline = deadline;
        this.regrouper = regrouper;
        this.statistics = statistics;
        this.completion = new Completion(owners, rank);
    }

    /** The shuffle that this is the inbox of. */
    public long wireId() {
        return wireId;
    }

    // In

    /**
     * Takes a frame, the first {@code bytes} of a slab, and with it the slab. Checks all of it on the calling thread
     * and throws nothing: what is wrong with it fails the shuffle.
     */
    public void accept(PeerId sender, Slab slab, long bytes) {
        int source = sender.rank();
        boolean kept = false;
        try {
            Frame frame = ReceivedFrame.open(slab.segment().asSlice(0, bytes), wireId, sender, source == rank);
            if (frame.header().kind() == FrameHeader.Kind.MANIFEST) {
                acceptPage(source, frame.body().toArray(ValueLayout.JAVA_BYTE));
            } else {
                kept = acceptBlocks(frame, slab, source == rank);
            }
        } catch (HeadraceException e) {
            fail(new HeadraceException(
                    e.category(), e.action(), source, "frame from rank " + source + ": " + e.getMessage(), e));
        } catch (RuntimeException e) {
            fail(HeadraceException.corruptData("frame from rank " + source + " can't be read: " + e));
        } finally {
            if (!kept) {
                slab.close();
            }
        }
    }

    private boolean acceptBlocks(Frame frame, Slab slab, boolean own) {
        List<Block> blocks = ReceivedFrame.blocks(frame, owners.first(rank), owners.end(rank), own);
        lock.lock();
        try {
            if (closed || failure != null) {
                return false;
            }
            StoredUnit unit = new StoredUnit(slab, 0);
            List<StoredBlock.InMemory> kept = new ArrayList<>(blocks.size());
            for (Block block : blocks) {
                if (count(block, unit)) {
                    kept.add(StoredBlock.InMemory.of(unit, frame.layout(), block));
                }
            }
            if (!unit.isNeeded()) {
                return false;
            }
            boolean run = slab.capacityBytes() > regrouper.slabBytes();
            store.add(new BlockStore.FrameInMemory(unit, kept, slab.capacityBytes(), run));
            if (completion.allPromised()) {
                kept.forEach(stored -> checkEntries(stored.block()));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Counts the block's rows once; false if it is a duplicate or nobody needs it any more. */
    private boolean count(Block block, StoredUnit unit) {
        Entry first = block.entry(0);
        if (!completion.addBlock(BlockKey.of(first.batch(), first.piece(), first.block()))) {
            statistics.add(Statistic.DUPLICATES_DROPPED, 1);
            return false;
        }
        for (int i = 0; i < block.entryCount(); i++) {
            completion.addRows(block.partitionAt(i), block.rowsAt(i));
            unit.need(block.rowsAt(i));
        }
        return true;
    }

    private void checkEntries(Block block) {
        for (int i = 0; i < block.entryCount(); i++) {
            if (completion.check(block.partitionAt(i))) {
                changed.signalAll();
            }
        }
    }

    private void acceptPage(int source, byte[] page) {
        lock.lock();
        try {
            pages.add(source, page).ifPresent(whole -> promise(Manifest.fromBytes(source, whole)));
        } finally {
            lock.unlock();
        }
    }

    private void promise(Manifest manifest) {
        if (completion.addManifest(manifest)) {
            for (int partition = owners.first(rank); partition < owners.end(rank); partition++) {
                completion.check(partition);
            }
            changed.signalAll();
        }
    }

    /** Own partitions in order of completion from the {@code from}-th on; see {@code Shuffle.completed}. */
    public int[] completed(int from, Deadline until) {
        lock.lock();
        try {
            while (true) {
                checkFailure();
                boolean all = completion.allComplete();
                long nanos = until.remainingNanos();
                if (completion.completed() > from || all || nanos <= 0) {
                    return completion.order(from);
                }
                changed.awaitNanos(Math.min(nanos, TimeUnit.SECONDS.toNanos(1)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw HeadraceException.deadline("interrupted while waiting for shuffle " + wireId);
        } finally {
            lock.unlock();
        }
    }

    /** Fails the shuffle with what is missing if its time is over. */
    void checkDeadline() {
        if (deadline.expired() && !isFailed()) {
            lock.lock();
            try {
                if (!completion.allComplete() && !closed) {
                    fail(HeadraceException.deadline("shuffle " + wireId + " on rank " + rank
                            + " is not complete in the time it was given: " + completion.missing()));
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Ends every call at this rank with the cause, unless it has failed before; any thread. Tells no peer. */
    public void fail(HeadraceException cause) {
        lock.lock();
        try {
            if (failure == null && !closed) {
                failure = cause;
                store.close();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isFailed() {
        return locked(() -> failure != null);
    }

    /** Throws what the shuffle failed with, if it did. */
    public void checkFailure() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
            if (closed) {
                throw HeadraceException.invalidInput("shuffle " + wireId + " is closed");
            }
        } finally {
            lock.unlock();
        }
    }

    /** All schemas of all sources, once every source has finished. */
    public List<Manifest.SchemaOfBatch> schemas() {
        return locked(() -> List.copyOf(completion.schemas()));
    }

    // Out

    /** The rows of every own partition in ascending order; an error until every source has promised its own. */
    public long[] rows() {
        checkFailure();
        return locked(completion::promisedRows);
    }

    /** The entries of a complete partition in (batch, piece, block) order; may read entry tables from disk. */
    public PartitionPlan plan(int partition) {
        List<PlannedEntry> entries = new ArrayList<>();
        List<StoredBlock.OnDisk> onDisk;
        long moves;
        lock.lock();
        try {
            checkReadable(partition);
            moves = store.moves();
            store.planMemory(partition, entries);
            onDisk = store.onDisk(partition);
            onDisk.forEach(block -> block.unit().lease());
        } finally {
            lock.unlock();
        }
        try {
            onDisk.forEach(block -> regrouper.readEntries(block, partition, entries));
        } finally {
            endLeases(onDisk.stream().map(StoredBlock::unit).toList());
        }
        entries.sort(null);
        return new PartitionPlan(partition, moves, entries);
    }

    private void checkReadable(int partition) {
        checkFailure();
        if (partition < owners.first(rank) || partition >= owners.end(rank)) {
            throw HeadraceException.invalidInput(owners.name(partition) + " is unknown to rank " + rank
                    + ", which owns " + owners.first(rank) + " to " + (owners.end(rank) - 1));
        }
        if (store.isReleased(partition)) {
            throw HeadraceException.invalidInput(owners.name(partition) + " was released and can't be fetched again");
        }
        if (!completion.allPromised() || !completion.isComplete(partition)) {
            throw HeadraceException.invalidInput(
                    owners.name(partition) + " is not complete yet: " + completion.missing());
        }
    }

    /** Keeps the entries' blocks until {@link #endLease}; false, keeping nothing, if they moved since the plan. */
    public boolean lease(PartitionPlan plan, List<PlannedEntry> entries) {
        lock.lock();
        try {
            checkFailure();
            if (plan.moves() != store.moves()) {
                return false;
            }
            entries.forEach(entry -> entry.stored().unit().lease());
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The caller no longer reads these entries; once for each {@link #lease}. */
    public void endLease(List<PlannedEntry> entries) {
        endLeases(entries.stream().map(entry -> entry.stored().unit()).toList());
    }

    private void endLeases(List<StoredUnit> units) {
        lock.lock();
        try {
            units.forEach(StoredUnit::endLease);
        } finally {
            lock.unlock();
        }
    }

    /** Throws unless the partition is complete and not released. */
    public void checkFetchable(int partition) {
        lock.lock();
        try {
            checkReadable(partition);
        } finally {
            lock.unlock();
        }
    }

    /** The partition was delivered; doing it again does nothing. Gives the rows that this delivered. */
    public long release(int partition) {
        lock.lock();
        try {
            checkFailure();
            if (store.isReleased(partition)) {
                return 0;
            }
            checkReadable(partition);
            store.release(partition);
            return completion.receivedRows(partition);
        } finally {
            lock.unlock();
        }
    }

    // Spilling

    @Override
    public long spillableBytes() {
        return locked(() -> store.bytesInMemory());
    }

    /** Moves the oldest frames to disk, by partition; called by the spill thread alone. */
    @Override
    public long spill(long wantedBytes) {
        List<BlockStore.FrameInMemory> victims;
        lock.lock();
        try {
            if (failure != null || closed) {
                return 0;
            }
            victims = store.leaseVictims(wantedBytes);
        } finally {
            lock.unlock();
        }
        if (victims.isEmpty()) {
            return 0;
        }
        Regrouper.Written written = new Regrouper.Written();
        try {
            regrouper.write(victims, partition -> locked(() -> store.isReleased(partition)), written);
        } catch (RuntimeException e) {
            endLeases(victims.stream().map(BlockStore.FrameInMemory::unit).toList());
            written.close();
            throw e;
        }
        lock.lock();
        try {
            if (failure != null || closed) {
                victims.forEach(victim -> victim.unit().endLease());
                written.close();
                return 0;
            }
            return store.moved(victims, written.byPartition());
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                store.close();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
