package dev.headrace.engine;

import dev.headrace.exchange.BlockKey;
import dev.headrace.exchange.Owners;
import dev.headrace.memory.Deadline;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.partition.RowGrouping;
import dev.headrace.table.Chunk;
import dev.headrace.table.IpcReader;
import org.jspecify.annotations.Nullable;

/**
 * Takes a batch apart: chunk by chunk into pieces, each piece by partition, each owner's rows into blocks, each block
 * into the owner's open frame. Stops between two blocks when memory is short. Stateless; any thread.
 */
final class BatchInserter {
    private final OpenFrames frames;
    private final Owners owners;
    private final int partitions;
    private final Statistics statistics;

    BatchInserter(OpenFrames frames, Statistics statistics) {
        this.frames = frames;
        this.owners = frames.owners();
        this.partitions = owners.numbers();
        this.statistics = statistics;
    }

    /** Packs what is left of the batch; false if memory was short, and then {@code progress} says where to go on. */
    boolean insert(IpcReader reader, BatchPlan plan, BatchProgress progress, Deadline until) {
        BatchPlan.Tools tools = plan.borrow();
        try {
            int number = 0;
            for (Chunk chunk = next(reader); chunk != null; chunk = next(reader)) {
                if (number++ == progress.chunk && !insertChunk(chunk, plan, tools, progress, until)) {
                    return false;
                }
            }
            return true;
        } finally {
            plan.giveBack(tools);
        }
    }

    private @Nullable Chunk next(IpcReader reader) {
        long start = System.nanoTime();
        Chunk chunk = reader.next();
        statistics.add(Statistic.READ_TIME, System.nanoTime() - start);
        return chunk;
    }

    private boolean insertChunk(
            Chunk chunk, BatchPlan plan, BatchPlan.Tools tools, BatchProgress progress, Deadline until) {
        while (progress.row < chunk.rows()) {
            int rows = tools.cutter().nextPiece(chunk.columns(), progress.row, chunk.rows() - progress.row);
            group(chunk, tools, progress, rows);
            tools.readAhead().read(chunk.columns(), progress.row, rows);
            if (!packPiece(chunk, plan, tools, progress, until)) {
                return false;
            }
            progress.nextPiece(rows);
            statistics.add(Statistic.PIECES, 1);
        }
        progress.nextChunk(chunk.rows());
        return true;
    }

    private void group(Chunk chunk, BatchPlan.Tools tools, BatchProgress progress, int rows) {
        long start = System.nanoTime();
        int[] partitionOf = tools.partitionOf();
        tools.partitioner()
                .partition(
                        progress.batch(),
                        progress.rowsOfChunksBefore + progress.row,
                        chunk.columns(),
                        progress.row,
                        rows,
                        partitionOf);
        tools.grouping().group(partitionOf, Math.toIntExact(progress.row), rows, partitions);
        statistics.add(Statistic.PARTITION_TIME, System.nanoTime() - start);
    }

    private boolean packPiece(
            Chunk chunk, BatchPlan plan, BatchPlan.Tools tools, BatchProgress progress, Deadline until) {
        long start = System.nanoTime();
        RowGrouping grouping = tools.grouping();
        int group = groupAt(grouping, progress.packedOfPiece);
        try {
            for (; progress.owner < owners.ranks(); progress.nextOwner()) {
                int end = grouping.starts()[grouping.firstGroup(owners.end(progress.owner))];
                while (progress.packedOfPiece < end) {
                    int from = progress.packedOfPiece;
                    int to = tools.cutter().blockEnd(grouping.order(), from, end);
                    tools.builder().reset();
                    tools.builder().addRows(chunk.columns(), grouping.order(), from, to);
                    addEntries(tools, progress, group, from, to);
                    long key = BlockKey.of(progress.batch(), progress.piece, progress.block);
                    if (!frames.append(progress.owner, plan.layout(), tools.builder(), key, until)) {
                        return false;
                    }
                    group = countRows(grouping, group, from, to);
                    progress.nextBlock(to - from);
                    statistics.add(Statistic.BLOCKS, 1);
                }
            }
            return true;
        } finally {
            statistics.add(Statistic.PACK_TIME, System.nanoTime() - start);
        }
    }

    private static int groupAt(RowGrouping grouping, int position) {
        int group = 0;
        while (group < grouping.groups() && grouping.starts()[group + 1] <= position) {
            group++;
        }
        return group;
    }

    private static void addEntries(BatchPlan.Tools tools, BatchProgress progress, int firstGroup, int from, int to) {
        RowGrouping grouping = tools.grouping();
        for (int group = firstGroup, at = from; at < to; group++) {
            int end = Math.min(to, grouping.starts()[group + 1]);
            tools.builder()
                    .addEntry(progress.batch(), progress.piece, progress.block, grouping.partitions()[group], end - at);
            at = end;
        }
    }

    /** Counts the rows of a block that was taken, and gives the group that the next block starts in. */
    private int countRows(RowGrouping grouping, int firstGroup, int from, int to) {
        int group = firstGroup;
        for (int at = from; at < to; ) {
            int end = Math.min(to, grouping.starts()[group + 1]);
            frames.count(grouping.partitions()[group], end - at);
            at = end;
            if (at == grouping.starts()[group + 1]) {
                group++;
            }
        }
        return group;
    }
}
