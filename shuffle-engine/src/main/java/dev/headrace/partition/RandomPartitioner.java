package dev.headrace.partition;

import dev.headrace.table.Column;
import java.util.List;

/** Each row goes to a partition drawn by chance, a function of seed, batch and row alone. Any thread. */
public final class RandomPartitioner implements Partitioner {
    private final long seed;
    private final int partitions;

    /** @param partitions at least 1 */
    public RandomPartitioner(long seed, int partitions) {
        this.seed = seed;
        this.partitions = partitions;
    }

    @Override
    public void partition(
            long batch, long rowOfBatch, List<Column> columns, long fromRow, int rows, int[] partitionOf) {
        long state = Chance.ofBatch(seed, batch);
        for (int i = 0; i < rows; i++) {
            partitionOf[i] = (int) Math.unsignedMultiplyHigh(Chance.at(state, rowOfBatch + i), partitions);
        }
    }
}
