package dev.headrace.bench;

import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.partition.HashPartitioner;
import dev.headrace.partition.RowGrouping;
import dev.headrace.table.Column;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The batches of one rank, each an Arrow IPC stream of one record batch, in memory of their own outside of any memory
 * limit; made once, the same for the same rank, and read by all runs. Owned by its rank.
 */
final class Input implements AutoCloseable {
    private static final int[] KEY = {0};

    private final Arena arena;
    private final List<MemorySegment> batches;
    private final String key;
    private final long rows;

    private Input(Arena arena, List<MemorySegment> batches, String key, long rows) {
        this.arena = arena;
        this.batches = batches;
        this.key = key;
        this.rows = rows;
    }

    @SuppressWarnings("MustBeClosedChecker") // the input owns the arena
    static Input make(Workload workload, int rank) {
        List<RandomColumn> columns = workload.kind().columns(workload.columns());
        Schema schema = Schema.of(columns.stream().map(RandomColumn::field).toList(), List.of());
        IpcWriter writer = new IpcWriter(schema);
        Arena arena = Arena.ofShared();
        List<MemorySegment> batches = new ArrayList<>();
        for (int batch = 0; batch < workload.batches(); batch++) {
            SplittableRandom random = new SplittableRandom(((long) rank << 32) + batch);
            int rows = workload.rowsOfBatch(batch);
            try (Arena scratch = Arena.ofConfined()) {
                List<Column> made = columns.stream()
                        .map(column -> column.make(random, rows, scratch))
                        .toList();
                List<Column> ordered =
                        workload.prePartitioned() ? inOrder(schema, made, rows, workload.partitions(), scratch) : made;
                batches.add(stream(writer, ordered, rows, arena));
            }
        }
        return new Input(arena, batches, schema.names().getFirst(), workload.rows());
    }

    private static MemorySegment stream(IpcWriter writer, List<Column> columns, int rows, Arena arena) {
        byte[] start = writer.schemaMessage();
        IpcMessage batch = writer.recordBatch(columns, rows);
        byte[] end = writer.endOfStream();
        MemorySegment stream = arena.allocate(start.length + batch.bytes() + end.length, 64);
        stream.asSlice(0, start.length).copyFrom(MemorySegment.ofArray(start));
        batch.copyTo(0, stream.asSlice(start.length, batch.bytes()));
        stream.asSlice(start.length + batch.bytes()).copyFrom(MemorySegment.ofArray(end));
        return stream;
    }

    private static List<Column> inOrder(Schema schema, List<Column> columns, int rows, int partitions, Arena scratch) {
        int[] partitionOf = new int[rows];
        new HashPartitioner(schema.types(), KEY, 0, partitions).partition(0, 0, columns, 0, rows, partitionOf);
        RowGrouping grouping = new RowGrouping();
        grouping.group(partitionOf, rows, partitions);
        Layout layout = Layout.of(schema.types());
        BlockBuilder builder = new BlockBuilder(layout);
        builder.addRows(columns, grouping.order(), 0, rows);
        builder.addEntry(0, 0, 0, 0, rows);
        MemorySegment block = scratch.allocate(builder.bytes(), 64);
        builder.write(block);
        return Block.read(layout, block).columns();
    }

    List<MemorySegment> batches() {
        return batches;
    }

    /** The name of the key column. */
    String key() {
        return key;
    }

    long rows() {
        return rows;
    }

    long bytes() {
        return batches.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    @Override
    public void close() {
        arena.close();
    }
}
