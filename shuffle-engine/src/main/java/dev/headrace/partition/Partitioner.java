package dev.headrace.partition;

import dev.headrace.table.Column;
import java.util.List;

/** Says which partition each row goes to, as a function of its input alone; one thread at a time. */
public sealed interface Partitioner
        permits HashPartitioner, RandomPartitioner, RangePartitioner, RoundRobinPartitioner {

    /**
     * Sets {@code partitionOf[i]} to the partition of row {@code fromRow + i} of the chunk.
     *
     * @param batch the batch's number
     * @param rowOfBatch the number within the batch, over all its chunks, of row {@code fromRow}
     * @param columns all columns of the chunk
     */
    void partition(long batch, long rowOfBatch, List<Column> columns, long fromRow, int rows, int[] partitionOf);
}
