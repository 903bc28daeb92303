package dev.headrace.partition;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import java.util.List;

/**
 * Row r of batch b goes to partition (b + r) modulo P: neighbours part, and so do the first rows of small batches. Any
 * thread.
 */
public final class RoundRobinPartitioner implements Partitioner {
    private final int partitions;

    /** @param partitions at least 1 */
    public RoundRobinPartitioner(int partitions) {
        if (partitions < 1) {
            throw HeadraceException.invalidInput("the number of partitions is " + partitions + ", the least is 1");
        }
        this.partitions = partitions;
    }

    @Override
    public void partition(
            long batch, long rowOfBatch, List<Column> columns, long fromRow, int rows, int[] partitionOf) {
        int next = Math.floorMod(Math.floorMod(batch, partitions) + rowOfBatch, partitions);
        for (int i = 0; i < rows; i++) {
            partitionOf[i] = next;
            next = next == partitions - 1 ? 0 : next + 1;
        }
    }
}
