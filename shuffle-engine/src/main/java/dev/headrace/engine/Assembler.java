package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Inbox;
import dev.headrace.exchange.PartitionPlan;
import dev.headrace.exchange.PlannedEntry;
import dev.headrace.exchange.StoredBlock;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Puts neighbouring entries of a partition together into contiguous columns of about a slab, reading those that lie on
 * disk. Needs at most {@link #SLABS} slabs at a time per permit. Thread-safe.
 */
final class Assembler {
    /** One slab for the columns, the others for what is read from disk. */
    static final int SLABS = 5;

    /** Leaves room in a slab for the difference between what entries are estimated to take and what they do take. */
    private static final long GROUP_BYTES = EngineConfig.SLAB_BYTES * 5L / 8;

    private static final int GROUP_ROWS = 1 << 20;

    private final SlabPool pool;
    private final Semaphore permits;
    private final Statistics statistics;
    private final Duration patience;

    Assembler(SlabPool pool, int permits, Duration patience, Statistics statistics) {
        this.pool = pool;
        this.permits = new Semaphore(permits);
        this.patience = patience;
        this.statistics = statistics;
    }

    /**
     * Columns of some entries, from the first asked for on; closing it frees the memory under them.
     *
     * @param end one past the last entry that is in it
     */
    record Group(List<Column> columns, long rows, int end, List<AutoCloseable> held) implements AutoCloseable {
        @Override
        public void close() {
            for (AutoCloseable one : held.reversed()) {
                try {
                    one.close();
                } catch (Exception e) {
                    throw HeadraceException.internal("can't free assembled columns: " + e, e);
                }
            }
            held.clear();
        }
    }

    /** Entries from {@code from} on as columns of the layout, or empty if blocks were moved since the plan was made. */
    Optional<Group> assemble(Inbox inbox, PartitionPlan plan, int from, Layout layout) {
        acquirePermit();
        List<AutoCloseable> held = new ArrayList<>();
        held.add(permits::release);
        boolean done = false;
        try {
            List<PlannedEntry> entries = select(plan, from);
            if (!inbox.lease(plan, entries)) {
                return Optional.empty();
            }
            held.add(() -> inbox.endLease(entries));
            long start = System.nanoTime();
            Group group = build(plan, entries, from, layout, held);
            statistics.add(Statistic.ASSEMBLE_TIME, System.nanoTime() - start);
            done = true;
            return Optional.of(group);
        } finally {
            if (!done) {
                new Group(List.of(), 0, from, held).close();
            }
        }
    }

    private void acquirePermit() {
        try {
            if (!permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw HeadraceException.deadline("no turn to assemble a partition in " + patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw HeadraceException.deadline("interrupted while waiting to assemble a partition");
        }
    }

    /** As many entries as make about a slab of columns and can be read from disk into the other slabs. */
    private static List<PlannedEntry> select(PartitionPlan plan, int from) {
        List<PlannedEntry> entries = plan.entries();
        IdentityHashMap<StoredBlock, Boolean> toRead = new IdentityHashMap<>();
        long bytes = 0;
        long rows = 0;
        int readSlabs = 0;
        long readFree = 0;
        int to = from;
        for (; to < entries.size(); to++) {
            PlannedEntry entry = entries.get(to);
            bytes += entry.estimatedBytes();
            rows += entry.rows();
            if (entry.stored() instanceof StoredBlock.OnDisk block && toRead.put(block, true) == null) {
                if (block.bytes() > readFree) {
                    readSlabs++;
                    readFree = EngineConfig.SLAB_BYTES;
                }
                readFree -= block.bytes();
            }
            boolean tooMuch = bytes > GROUP_BYTES || rows > GROUP_ROWS || readSlabs > SLABS - 1 || readFree < 0;
            if (tooMuch && to > from) {
                break;
            }
        }
        return entries.subList(from, Math.max(to, from + 1));
    }

    private Group build(
            PartitionPlan plan, List<PlannedEntry> entries, int from, Layout layout, List<AutoCloseable> held) {
        Loader loader = new Loader(held);
        PlannedEntry first = entries.getFirst();
        Block firstBlock = loader.load(first.stored());
        boolean asItIs = first.rows() == first.stored().rows()
                && first.stored().bytes() > EngineConfig.SLAB_BYTES
                && first.stored().layout().fingerprint() == layout.fingerprint();
        if (asItIs) {
            return new Group(firstBlock.columns(), first.rows(), from + 1, held);
        }
        BlockBuilder builder = new BlockBuilder(layout);
        long rows = 0;
        int taken = 0;
        for (PlannedEntry entry : entries) {
            List<Column> columns = loader.load(entry.stored()).columns();
            if (taken > 0 && !builder.fitsRange(columns, entry.start(), entry.rows())) {
                break;
            }
            builder.addRange(columns, entry.start(), entry.rows());
            builder.addEntry(entry.batch(), entry.piece(), entry.block(), plan.partition(), entry.rows());
            rows += entry.rows();
            taken++;
        }
        Slab slab = pool.acquire(SlabPool.Use.OUTPUT, Math.max(builder.bytes(), EngineConfig.SLAB_BYTES), patience);
        held.add(slab);
        builder.write(slab.segment().asSlice(0, builder.bytes()));
        return new Group(Block.read(layout, slab.segment()).columns(), rows, from + taken, held);
    }

    /** Blocks as they are needed: those in memory in place, those on disk read into slabs, each once. */
    private final class Loader {
        private final List<AutoCloseable> held;
        private final IdentityHashMap<StoredBlock, Block> loaded = new IdentityHashMap<>();
        private MemorySegment free = MemorySegment.NULL;

        Loader(List<AutoCloseable> held) {
            this.held = held;
        }

        Block load(StoredBlock stored) {
            return switch (stored) {
                case StoredBlock.InMemory inMemory -> inMemory.block();
                case StoredBlock.OnDisk onDisk -> {
                    Block known = loaded.get(onDisk);
                    if (known == null) {
                        known = read(onDisk);
                        loaded.put(onDisk, known);
                    }
                    yield known;
                }
            };
        }

        private Block read(StoredBlock.OnDisk stored) {
            if (stored.bytes() > free.byteSize()) {
                Slab slab =
                        pool.acquire(SlabPool.Use.OUTPUT, Math.max(stored.bytes(), EngineConfig.SLAB_BYTES), patience);
                held.add(slab);
                free = slab.segment();
            }
            long start = System.nanoTime();
            MemorySegment target = free.asSlice(0, stored.bytes());
            free = free.asSlice(stored.bytes());
            Block block = stored.readInto(target);
            statistics.add(Statistic.READ_BACK_BYTES, stored.bytes());
            statistics.add(Statistic.SPILL_READ_TIME, System.nanoTime() - start);
            return block;
        }
    }
}
