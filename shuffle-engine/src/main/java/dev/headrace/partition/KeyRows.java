package dev.headrace.partition;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows of key columns that can be compared with each other, and that other rows can be placed among: the boundaries of
 * a range shuffle, or samples on the way to some. Copies what it needs; immutable, any thread.
 */
public final class KeyRows {
    private final List<SortKey> keys;
    private final List<DataType> types;
    private final List<Landmarks> landmarks = new ArrayList<>();
    private final int[][] ranks;
    private final int count;

    /**
     * @param keys the order, at least one key
     * @param types the type of each key; columns may have others of the same family
     * @param chunks the rows, one list of key columns per chunk
     */
    public KeyRows(List<SortKey> keys, List<DataType> types, List<List<Column>> chunks) {
        this.keys = List.copyOf(keys);
        this.types = List.copyOf(types);
        this.count = Math.toIntExact(
                chunks.stream().mapToLong(chunk -> chunk.getFirst().rows()).sum());
        this.ranks = new int[keys.size()][];
        for (int key = 0; key < keys.size(); key++) {
            int number = key;
            List<Column> columns =
                    chunks.stream().map(chunk -> chunk.get(number)).toList();
            landmarks.add(Landmarks.of(columns));
            ranks[key] = ranksOf(key, columns);
        }
    }

    private int[] ranksOf(int key, List<Column> columns) {
        int[] rankOfPlace = rankOfPlace(key);
        int[] found = new int[count];
        int[] places = new int[Places.MAX_ROWS];
        int at = 0;
        for (Column column : columns) {
            Places reader = Places.of(column.type(), landmarks.get(key));
            for (long from = 0; from < column.rows(); from += Places.MAX_ROWS) {
                int rows = (int) Math.min(Places.MAX_ROWS, column.rows() - from);
                reader.read(column, from, rows, places);
                for (int i = 0; i < rows; i++) {
                    found[at++] = rankOfPlace[places[i] - Places.NULL];
                }
            }
        }
        return found;
    }

    public int count() {
        return count;
    }

    List<SortKey> keys() {
        return keys;
    }

    Landmarks landmarks(int key) {
        return landmarks.get(key);
    }

    /** The rank of each row by one key: rows compare as these numbers do. */
    int[] ranks(int key) {
        return ranks[key];
    }

    /**
     * What place {@code i + Places.NULL} of a key ranks as, direction and nulls considered; from 0 to twice the
     * landmarks plus 2.
     */
    int[] rankOfPlace(int key) {
        SortKey order = keys.get(key);
        int last = 2 * landmarks.get(key).count();
        int[] table = new int[last + 3];
        table[0] = order.nullsFirst() ? 0 : last + 2;
        table[1] = order.nullsFirst() ? 1 : last + 1;
        for (int place = 0; place <= last; place++) {
            table[place - Places.NULL] = (order.descending() ? last - place : place) + (order.nullsFirst() ? 2 : 0);
        }
        return table;
    }

    /** Negative if row {@code a} comes before row {@code b} in the order of the keys, 0 if their keys are equal. */
    public int compare(int a, int b) {
        for (int[] rank : ranks) {
            if (rank[a] != rank[b]) {
                return Integer.compare(rank[a], rank[b]);
            }
        }
        return 0;
    }

    /** The row numbers in the order of the keys; equal rows keep theirs. */
    public int[] sorted() {
        return IntStream.range(0, count)
                .boxed()
                .sorted(this::compare)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** An INVALID_INPUT error unless these rows can divide keys into that many partitions. */
    public void checkBoundaries(int partitions) {
        if (count != 0 && count != partitions - 1) {
            throw HeadraceException.invalidInput(
                    count + " boundaries were given for " + partitions + " partitions, which take " + (partitions - 1));
        }
        for (int i = 1; i < count; i++) {
            if (compare(i - 1, i) > 0) {
                throw HeadraceException.invalidInput("boundary " + i + " comes before boundary " + (i - 1)
                        + " in the order of the keys, so the boundaries are not sorted");
            }
        }
    }

    /** An INVALID_INPUT error unless columns of these types can be compared with these rows. */
    void checkComparable(List<DataType> others) {
        for (int key = 0; key < keys.size(); key++) {
            if (!SortFamily.of(types.get(key)).comparesWith(SortFamily.of(others.get(key)))) {
                throw HeadraceException.invalidInput(
                        "key column \"" + keys.get(key).column() + "\" is "
                                + TypeName.of(others.get(key)) + " in a batch, but " + TypeName.of(types.get(key))
                                + " in the boundaries, and these can't be compared");
            }
        }
    }

    @Override
    public String toString() {
        return "KeyRows[" + keys + ", " + Arrays.deepToString(ranks) + "]";
    }
}
