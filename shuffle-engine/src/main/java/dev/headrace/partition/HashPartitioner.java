package dev.headrace.partition;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;
import java.util.List;

/** Equal keys share a partition: hash times partitions, divided by 2^64. One thread at a time. */
public final class HashPartitioner implements Partitioner {
    private final KeyHash hash;
    private final int[] keys;
    private final int partitions;
    private final Column[] keyColumns;
    private final List<Column> keyList;
    private long[] hashes = new long[0];

    /**
     * @param types the types of all columns of a chunk
     * @param keys indices of the key columns, see {@link Keys#resolve}
     * @param salt see {@link KeyHash}
     * @param partitions at least 1
     */
    public HashPartitioner(List<DataType> types, int[] keys, long salt, int partitions) {
        if (partitions < 1) {
            throw HeadraceException.invalidInput("the number of partitions is " + partitions + ", the least is 1");
        }
        this.hash = new KeyHash(Arrays.stream(keys).mapToObj(types::get).toList(), salt);
        this.keys = keys.clone();
        this.partitions = partitions;
        this.keyColumns = new Column[keys.length];
        this.keyList = Arrays.asList(keyColumns);
    }

    @Override
    public void partition(
            long batch, long rowOfBatch, List<Column> columns, long fromRow, int rows, int[] partitionOf) {
        if (hashes.length < rows) {
            hashes = new long[rows];
        }
        for (int i = 0; i < keys.length; i++) {
            keyColumns[i] = columns.get(keys[i]);
        }
        hash.hash(keyList, fromRow, rows, hashes);
        spread(hashes, rows, partitions, partitionOf);
    }

    /** Multiply-shift: no division, and it takes the high bits, which are the best mixed. */
    private static void spread(long[] hashes, int rows, int partitions, int[] partitionOf) {
        for (int i = 0; i < rows; i++) {
            partitionOf[i] = (int) Math.unsignedMultiplyHigh(hashes[i], partitions);
        }
    }
}
