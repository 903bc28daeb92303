package dev.headrace.partition;

import java.util.Arrays;

/**
 * The rows of a piece in the order of their partitions, rows of one partition in their own order. Reused from piece to
 * piece: a result is valid until the next call of {@code group}. One thread at a time.
 *
 * <p>Only partitions that have rows form a group, so that three rows cost three steps whatever the number of
 * partitions.
 */
public final class RowGrouping {
    /** With more partitions per row than this, sorting is cheaper than counting through the partitions. */
    private static final int MAX_PARTITIONS_PER_ROW = 32;

    private int[] order = new int[0];
    private int[] partitions = new int[0];
    private int[] starts = new int[1];
    private int[] next = new int[0];
    private long[] sorted = new long[0];
    private int groups;

    /** As {@link #group(int[], int, int, int)} from row 0. */
    public void group(int[] partitionOf, int rows, int partitions) {
        group(partitionOf, 0, rows, partitions);
    }

    /**
     * Groups the rows {@code fromRow + i} of a chunk by {@code partitionOf[i]}.
     *
     * @param partitions more than any number in {@code partitionOf}
     */
    public void group(int[] partitionOf, int fromRow, int rows, int partitions) {
        reserve(rows);
        groups = 0;
        if (partitions > (long) MAX_PARTITIONS_PER_ROW * rows) {
            sort(partitionOf, fromRow, rows);
        } else {
            count(partitionOf, fromRow, rows, partitions);
        }
        starts[groups] = rows;
    }

    /** The row numbers, grouped: the array itself, not a copy, and only as many of it as there are rows. */
    public int[] order() {
        return order;
    }

    /**
     * Where each group starts in {@link #order}, and after the last group the number of rows: the array itself, the
     * first {@code groups() + 1} are meant.
     */
    public int[] starts() {
        return starts;
    }

    /** How many partitions have rows. */
    public int groups() {
        return groups;
    }

    /** The partition of each group, ascending: the array itself, the first {@code groups()} are meant. */
    public int[] partitions() {
        return partitions;
    }

    /** The first group whose partition is {@code partition} or greater, or {@code groups()}. */
    public int firstGroup(int partition) {
        int at = Arrays.binarySearch(partitions, 0, groups, partition);
        return at < 0 ? -at - 1 : at;
    }

    private void reserve(int rows) {
        if (order.length < rows) {
            order = new int[rows];
            partitions = new int[rows];
            starts = new int[rows + 1];
        }
    }

    private void count(int[] partitionOf, int fromRow, int rows, int partitionCount) {
        if (next.length < partitionCount) {
            next = new int[partitionCount];
        } else {
            Arrays.fill(next, 0, partitionCount, 0);
        }
        int[] counts = next;
        for (int i = 0; i < rows; i++) {
            counts[partitionOf[i]]++;
        }
        int start = 0;
        for (int partition = 0; partition < partitionCount; partition++) {
            int size = counts[partition];
            counts[partition] = start;
            if (size > 0) {
                partitions[groups] = partition;
                starts[groups++] = start;
                start += size;
            }
        }
        int[] target = order;
        for (int i = 0; i < rows; i++) {
            target[counts[partitionOf[i]]++] = fromRow + i;
        }
    }

    private void sort(int[] partitionOf, int fromRow, int rows) {
        if (sorted.length < rows) {
            sorted = new long[rows];
        }
        for (int i = 0; i < rows; i++) {
            sorted[i] = ((long) partitionOf[i] << 32) | i;
        }
        Arrays.sort(sorted, 0, rows);
        for (int i = 0; i < rows; i++) {
            int partition = (int) (sorted[i] >> 32);
            if (groups == 0 || partitions[groups - 1] != partition) {
                partitions[groups] = partition;
                starts[groups++] = i;
            }
            order[i] = fromRow + (int) sorted[i];
        }
    }
}
