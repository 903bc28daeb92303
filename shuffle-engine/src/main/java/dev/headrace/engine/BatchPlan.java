package dev.headrace.engine;

import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.pack.ReadAhead;
import dev.headrace.partition.Partitioner;
import dev.headrace.partition.PieceCutter;
import dev.headrace.partition.RowGrouping;
import dev.headrace.table.Schema;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** How batches of one schema are partitioned and packed; immutable but for the tools that it lends. Thread-safe. */
final class BatchPlan {
    private final Schema schema;
    private final Layout layout;
    private final Routing routing;
    private final int[] keys;
    private final Queue<Tools> idle = new ConcurrentLinkedQueue<>();

    BatchPlan(Schema schema, Routing routing) {
        this.schema = schema;
        this.layout = Layout.of(schema.types());
        this.routing = routing;
        this.keys = routing.keyColumns(schema);
    }

    Schema schema() {
        return schema;
    }

    Layout layout() {
        return layout;
    }

    /** Scratch memory of one inserting thread, reused from batch to batch. */
    record Tools(
            Partitioner partitioner,
            PieceCutter cutter,
            RowGrouping grouping,
            ReadAhead readAhead,
            BlockBuilder builder,
            int[] partitionOf) {}

    Tools borrow() {
        Tools tools = idle.poll();
        return tools != null
                ? tools
                : new Tools(
                        routing.partitioner(layout.columns(), keys),
                        new PieceCutter(layout.columns()),
                        new RowGrouping(),
                        new ReadAhead(),
                        new BlockBuilder(layout),
                        new int[PieceCutter.PIECE_ROWS]);
    }

    void giveBack(Tools tools) {
        idle.add(tools);
    }
}
