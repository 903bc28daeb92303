package dev.headrace.engine;

import dev.headrace.exchange.Inbox;
import dev.headrace.exchange.PartitionPlan;
import dev.headrace.exchange.PlannedEntry;
import dev.headrace.pack.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a partition of a random shuffle: bucket after bucket, each in the order of the random words of its rows,
 * see docs/range-and-random.md. One thread at a time.
 *
 * <p>A unit is what is put in order at a time: some buckets that fit a group together, or, of a bucket that is too
 * large, the rows whose words lie in one of equal intervals. A place is a unit (high half) and a row in its order. How
 * buckets make units depends on where blocks lie; the order of rows doesn't.
 */
final class ShuffledRows implements PartitionRows {
    /** Half a slab, since a unit of an interval holds more or fewer rows than planned by chance. */
    private static final long UNIT_BYTES = EngineConfig.SLAB_BYTES / 2;

    private static final int UNIT_ROWS = 1 << 19;

    private final long seed;
    private final Inbox inbox;
    private final Assembler assembler;
    private final Layout layout;
    private final List<Unit> units = new ArrayList<>();

    ShuffledRows(int firstBucket, int endBucket, long seed, Inbox inbox, Assembler assembler, Layout layout) {
        this.seed = seed;
        this.inbox = inbox;
        this.assembler = assembler;
        this.layout = layout;
        divide(firstBucket, endBucket);
    }

    /** Buckets from {@code first} up to {@code end}; of a single one only interval {@code part} of {@code parts}. */
    private record Unit(int first, int end, int part, int parts) {}

    private void divide(int firstBucket, int endBucket) {
        int first = firstBucket;
        long bytes = 0;
        long rows = 0;
        for (int bucket = firstBucket; bucket < endBucket; bucket++) {
            long bucketBytes = 0;
            long bucketRows = 0;
            for (PlannedEntry entry : inbox.plan(bucket).entries()) {
                bucketBytes += Selection.isAlone(entry) ? 0 : entry.estimatedBytes();
                bucketRows += entry.rows();
            }
            if (bytes + bucketBytes > UNIT_BYTES || rows + bucketRows > UNIT_ROWS) {
                addBuckets(first, bucket, rows);
                first = bucket;
                bytes = 0;
                rows = 0;
            }
            bytes += bucketBytes;
            rows += bucketRows;
            if (bytes > UNIT_BYTES || rows > UNIT_ROWS) {
                long parts = Math.max(Math.ceilDiv(bytes, UNIT_BYTES), Math.ceilDiv(rows, (long) UNIT_ROWS));
                for (int part = 0; part < parts; part++) {
                    units.add(new Unit(bucket, bucket + 1, part, Math.toIntExact(parts)));
                }
                first = bucket + 1;
                bytes = 0;
                rows = 0;
            }
        }
        addBuckets(first, endBucket, rows);
    }

    private void addBuckets(int first, int end, long rows) {
        if (rows > 0) {
            units.add(new Unit(first, end, 0, 1));
        }
    }

    @Override
    public long end() {
        return (long) units.size() << 32;
    }

    @Override
    public Group group(long place) {
        return assembler.inTurn(held -> build((int) (place >>> 32), (int) place, held));
    }

    private Group build(int number, int fromRow, Held held) {
        Unit unit = units.get(number);
        Selection selection = new Selection(seed, unit.part(), unit.parts());
        for (PartitionPlan plan : leased(unit, held)) {
            selection.add(plan);
        }
        int[] order = selection.order();
        long nextUnit = (number + 1L) << 32;
        if (fromRow >= order.length) {
            return new Group(List.of(), 0, nextUnit, held);
        }
        try (Held copies = new Held()) {
            Gathered.Taken taken = new Gathered(selection, assembler, layout, copies).take(order, fromRow, held);
            int end = fromRow + taken.rows();
            long next = end == order.length ? nextUnit : (long) number << 32 | end;
            return new Group(taken.columns(), taken.rows(), next, held);
        }
    }

    /** The plans of all buckets of the unit, their blocks kept where they are. */
    private List<PartitionPlan> leased(Unit unit, Held held) {
        while (true) {
            Held leases = new Held();
            List<PartitionPlan> plans = new ArrayList<>();
            boolean moved = false;
            for (int bucket = unit.first(); bucket < unit.end() && !moved; bucket++) {
                PartitionPlan plan = inbox.plan(bucket);
                moved = !inbox.lease(plan, plan.entries());
                if (!moved) {
                    leases.add(() -> inbox.endLease(plan.entries()));
                    plans.add(plan);
                }
            }
            if (!moved) {
                held.add(leases);
                return plans;
            }
            leases.close();
        }
    }
}
