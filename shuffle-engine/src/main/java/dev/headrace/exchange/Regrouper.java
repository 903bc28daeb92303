package dev.headrace.exchange;

import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.EntryPrefix;
import dev.headrace.pack.Layout;
import dev.headrace.spill.SpillExtent;
import dev.headrace.spill.SpillStore;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * Writes frames to disk by partition, so that a partition is later read from few places: the frames' entries are sorted
 * by partition and (batch, piece, block), concatenated into blocks of one partition each, and written a slab at a time.
 * One slab of memory is used beside the frames. Stateless but for its tools; one call at a time per inbox.
 */
public final class Regrouper {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SlabPool pool;
    private final SpillStore disk;
    private final long slabBytes;
    private final long blockBytes;
    private final Statistics statistics;

    /**
     * Uses the pool and the store, which stay the engine's.
     *
     * @param slabBytes how much is written at a time
     * @param blockBytes about how large the blocks become
     */
    public Regrouper(SlabPool pool, SpillStore disk, long slabBytes, long blockBytes, Statistics statistics) {
        this.pool = pool;
        this.disk = disk;
        this.slabBytes = slabBytes;
        this.blockBytes = blockBytes;
        this.statistics = statistics;
    }

    long slabBytes() {
        return slabBytes;
    }

    /** What was written so far; closing it frees the disk space. */
    static final class Written implements AutoCloseable {
        private final Map<Integer, List<StoredBlock.OnDisk>> byPartition = new HashMap<>();

        Map<Integer, List<StoredBlock.OnDisk>> byPartition() {
            return byPartition;
        }

        private void add(int partition, StoredBlock.OnDisk block) {
            block.unit().need(1);
            byPartition.computeIfAbsent(partition, _ -> new ArrayList<>()).add(block);
        }

        @Override
        public void close() {
            byPartition
                    .values()
                    .forEach(blocks -> blocks.forEach(block -> block.unit().dropAll()));
            byPartition.clear();
        }
    }

    /** Writes the frames' entries but for those of released partitions, and notes in {@code written} where they are. */
    void write(List<BlockStore.FrameInMemory> frames, IntPredicate released, Written written) {
        long start = System.nanoTime();
        Map<Long, Map<Integer, List<PlannedEntry>>> byLayout = new HashMap<>();
        for (BlockStore.FrameInMemory frame : frames) {
            if (frame.run()) {
                writeRun(frame, written);
            } else {
                frame.blocks().forEach(stored -> sortIn(stored, byLayout));
            }
        }
        for (Map<Integer, List<PlannedEntry>> byPartition : byLayout.values()) {
            writeLayout(byPartition, released, written);
        }
        statistics.add(Statistic.SPILL_WRITE_TIME, System.nanoTime() - start);
    }

    private static void sortIn(StoredBlock.InMemory stored, Map<Long, Map<Integer, List<PlannedEntry>>> byLayout) {
        Map<Integer, List<PlannedEntry>> byPartition =
                byLayout.computeIfAbsent(stored.layout().fingerprint(), _ -> new TreeMap<>());
        Block block = stored.block();
        for (int i = 0; i < block.entryCount(); i++) {
            byPartition
                    .computeIfAbsent(block.partitionAt(i), _ -> new ArrayList<>())
                    .add(PlannedEntry.of(block.entry(i), stored, block.entryStart(i)));
        }
    }

    private void writeLayout(Map<Integer, List<PlannedEntry>> byPartition, IntPredicate released, Written written) {
        Collection<List<PlannedEntry>> all = byPartition.values();
        Layout layout = all.iterator().next().getFirst().stored().layout();
        try (RunWriter writer = new RunWriter(layout, written)) {
            for (Map.Entry<Integer, List<PlannedEntry>> entries : byPartition.entrySet()) {
                if (!released.test(entries.getKey())) {
                    entries.getValue().sort(Comparator.naturalOrder());
                    writer.writePartition(entries.getKey(), entries.getValue());
                }
            }
            writer.flush();
        }
    }

    private void writeRun(BlockStore.FrameInMemory frame, Written written) {
        for (StoredBlock.InMemory stored : frame.blocks()) {
            SpillExtent extent = disk.write(stored.block().segment());
            statistics.add(Statistic.SPILLED_BYTES, extent.bytes());
            StoredUnit unit = new StoredUnit(extent, 0);
            Block block = stored.block();
            StoredBlock.OnDisk onDisk = StoredBlock.OnDisk.of(unit, stored.layout(), extent, 0, block, block.segment());
            for (int i = 0; i < block.entryCount(); i++) {
                written.add(block.partitionAt(i), onDisk);
            }
        }
    }

    /** Reads the entry table of a block on disk and adds those of the partition. */
    void readEntries(StoredBlock.OnDisk stored, int partition, List<PlannedEntry> entries) {
        EntryPrefix table = stored.readPrefix();
        for (int i = 0; i < table.count(); i++) {
            if (table.partitionAt(i) == partition) {
                entries.add(PlannedEntry.of(table.entry(i), stored, table.entryStart(i)));
            }
        }
    }

    /** Fills one slab with blocks and writes it out whenever it is full. */
    private final class RunWriter implements AutoCloseable {
        private final Layout layout;
        private final Written written;
        private final BlockBuilder builder;
        private final Slab slab = pool.acquire(SlabPool.Use.SPILL, slabBytes, PATIENCE);
        private final List<Pending> pending = new ArrayList<>();
        private long filled;

        RunWriter(Layout layout, Written written) {
            this.layout = layout;
            this.written = written;
            this.builder = new BlockBuilder(layout);
        }

        private record Pending(int partition, long offset, Block block, MemorySegment bytes) {}

        /** Entries of one partition in order; as many to a block as its size and its 32-bit parts allow. */
        void writePartition(int partition, List<PlannedEntry> entries) {
            int entryCount = 0;
            builder.reset();
            for (PlannedEntry entry : entries) {
                StoredBlock.InMemory stored = (StoredBlock.InMemory) entry.stored();
                boolean full = entryCount > 0
                        && (builder.bytes() + entry.estimatedBytes() > blockBytes
                                || !builder.fitsRange(stored.block().columns(), entry.start(), entry.rows()));
                if (full) {
                    writeBlock(partition);
                    builder.reset();
                    entryCount = 0;
                }
                builder.addRange(stored.block().columns(), entry.start(), entry.rows());
                builder.addEntry(entry.batch(), entry.piece(), entry.block(), partition, entry.rows());
                entryCount++;
            }
            if (entryCount > 0) {
                writeBlock(partition);
            }
        }

        private void writeBlock(int partition) {
            long bytes = builder.bytes();
            if (bytes > slabBytes - filled) {
                flush();
            }
            MemorySegment target = slab.segment().asSlice(filled, bytes);
            builder.write(target);
            pending.add(new Pending(partition, filled, Block.read(layout, target), target));
            filled += bytes;
        }

        void flush() {
            if (pending.isEmpty()) {
                return;
            }
            SpillExtent extent = disk.write(slab.segment().asSlice(0, filled));
            statistics.add(Statistic.SPILLED_BYTES, filled);
            StoredUnit unit = new StoredUnit(extent, 0);
            for (Pending block : pending) {
                written.add(
                        block.partition(),
                        StoredBlock.OnDisk.of(unit, layout, extent, block.offset(), block.block(), block.bytes()));
            }
            pending.clear();
            filled = 0;
        }

        @Override
        public void close() {
            slab.close();
        }
    }
}
