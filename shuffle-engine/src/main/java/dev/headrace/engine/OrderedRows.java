package dev.headrace.engine;

import dev.headrace.exchange.Inbox;
import dev.headrace.exchange.PartitionPlan;
import dev.headrace.exchange.PlannedEntry;
import dev.headrace.exchange.StoredBlock;
import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.table.Column;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a partition in (batch, piece, block) order: neighbouring entries put together into contiguous columns of
 * about a slab, those on disk read back. A place is the number of an entry. Groups are remembered, as their size
 * depends on where blocks lie, and that may change between two calls. One thread at a time.
 */
final class OrderedRows implements PartitionRows {
    /** Leaves room in a slab for the difference between what entries are estimated to take and what they do take. */
    private static final long GROUP_BYTES = EngineConfig.SLAB_BYTES * 5L / 8;

    private static final int GROUP_ROWS = 1 << 20;

    private final Inbox inbox;
    private final Assembler assembler;
    private final Layout layout;
    private final Map<Integer, Integer> ends = new HashMap<>();
    private PartitionPlan plan;

    OrderedRows(int partition, Inbox inbox, Assembler assembler, Layout layout) {
        this.inbox = inbox;
        this.assembler = assembler;
        this.layout = layout;
        this.plan = inbox.plan(partition);
    }

    @Override
    public long end() {
        return plan.entries().size();
    }

    @Override
    public Group group(long place) {
        int from = Math.toIntExact(place);
        Group group = assembler.inTurn(held -> build(leased(from, held), from, held));
        ends.putIfAbsent(from, Math.toIntExact(group.end()));
        return group;
    }

    /** The entries of a group, kept where they are; the plan is made anew if blocks were moved since. */
    private List<PlannedEntry> leased(int from, Held held) {
        while (true) {
            Integer end = ends.get(from);
            List<PlannedEntry> entries =
                    end == null ? select(plan, from) : plan.entries().subList(from, end);
            if (inbox.lease(plan, entries)) {
                held.add(() -> inbox.endLease(entries));
                return entries;
            }
            plan = inbox.plan(plan.partition());
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
            boolean tooMuch =
                    bytes > GROUP_BYTES || rows > GROUP_ROWS || readSlabs > Assembler.SLABS - 1 || readFree < 0;
            if (tooMuch && to > from) {
                break;
            }
        }
        return entries.subList(from, Math.max(to, from + 1));
    }

    private Group build(List<PlannedEntry> entries, int from, Held held) {
        BlockLoader loader = held.add(assembler.loader());
        PlannedEntry first = entries.getFirst();
        Block firstBlock = loader.load(first.stored());
        boolean asItIs = first.rows() == first.stored().rows()
                && first.stored().bytes() > EngineConfig.SLAB_BYTES
                && first.stored().layout().fingerprint() == layout.fingerprint();
        if (asItIs) {
            return new Group(firstBlock.columns(), first.rows(), from + 1L, held);
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
        return new Group(assembler.write(builder, held).columns(), rows, from + (long) taken, held);
    }
}
