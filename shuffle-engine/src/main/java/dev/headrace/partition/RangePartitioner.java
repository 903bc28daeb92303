package dev.headrace.partition;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;
import java.util.List;

/**
 * A row goes to the partition whose number is that of the boundaries at or before its key, so equal keys share a
 * partition and a key equal to boundary i is in partition i + 1. One thread at a time.
 *
 * <p>The first key column leaves, by a table, the boundaries that it is equal to; only rows that are equal to some look
 * at the next key.
 */
public final class RangePartitioner implements Partitioner {
    private final int[] keys;
    private final Places[] places;
    private final int[] firstBefore;
    private final int[] firstThrough;
    private final int[][] rankOfPlace;
    private final int[][] ranks;
    private final int[] low = new int[Places.MAX_ROWS];
    private final int[] high = new int[Places.MAX_ROWS];
    private final int[] found = new int[Places.MAX_ROWS];

    /**
     * @param types the types of all columns of a chunk
     * @param keys indices of the key columns, see {@link Keys#resolve}
     * @param boundaries sorted, see {@link KeyRows#checkBoundaries}
     * @throws HeadraceException INVALID_INPUT if a key column can't be compared with the boundaries
     */
    public RangePartitioner(List<DataType> types, int[] keys, KeyRows boundaries) {
        List<DataType> keyTypes = Arrays.stream(keys).mapToObj(types::get).toList();
        boundaries.checkComparable(keyTypes);
        this.keys = keys.clone();
        this.places = new Places[keys.length];
        this.rankOfPlace = new int[keys.length][];
        this.ranks = new int[keys.length][];
        for (int key = 0; key < keys.length; key++) {
            places[key] = Places.of(keyTypes.get(key), boundaries.landmarks(key));
            rankOfPlace[key] = boundaries.rankOfPlace(key);
            ranks[key] = boundaries.ranks(key);
        }
        this.firstBefore = new int[rankOfPlace[0].length];
        this.firstThrough = new int[rankOfPlace[0].length];
        for (int place = 0; place < firstBefore.length; place++) {
            int rank = rankOfPlace[0][place];
            firstBefore[place] = countBelow(ranks[0], 0, boundaries.count(), rank);
            firstThrough[place] = countBelow(ranks[0], 0, boundaries.count(), rank + 1);
        }
    }

    @Override
    public void partition(
            long batch, long rowOfBatch, List<Column> columns, long fromRow, int rows, int[] partitionOf) {
        for (int at = 0; at < rows; at += Places.MAX_ROWS) {
            int count = Math.min(Places.MAX_ROWS, rows - at);
            narrow(columns, fromRow + at, count);
            System.arraycopy(high, 0, partitionOf, at, count);
        }
    }

    private void narrow(List<Column> columns, long from, int rows) {
        places[0].read(columns.get(keys[0]), from, rows, found);
        for (int i = 0; i < rows; i++) {
            high[i] = firstThrough[found[i] - Places.NULL];
        }
        if (keys.length == 1) {
            return;
        }
        for (int i = 0; i < rows; i++) {
            low[i] = firstBefore[found[i] - Places.NULL];
        }
        for (int key = 1; key < keys.length && anyOpen(rows); key++) {
            places[key].read(columns.get(keys[key]), from, rows, found);
            for (int i = 0; i < rows; i++) {
                if (low[i] < high[i]) {
                    int rank = rankOfPlace[key][found[i] - Places.NULL];
                    int before = countBelow(ranks[key], low[i], high[i], rank);
                    high[i] = countBelow(ranks[key], before, high[i], rank + 1);
                    low[i] = before;
                }
            }
        }
    }

    private boolean anyOpen(int rows) {
        for (int i = 0; i < rows; i++) {
            if (low[i] < high[i]) {
                return true;
            }
        }
        return false;
    }

    /** The first index in {@code [from, to)} of the ascending numbers whose number is not below, or {@code to}. */
    private static int countBelow(int[] ascending, int from, int to, int number) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
