package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;

/** Numbers different values in the order of their first appearance, from any number of columns. One thread; reused. */
final class ValueIndex {
    private static final int FREE = 0;

    private final ValueBytes wanted;
    private final ValueBytes known;
    /** Number + 1 by hash, open addressing. */
    private int[] table = new int[64];

    private int[] hashes = new int[32];
    private Column[] columns = new Column[32];
    private int[] rows = new int[32];
    private int size;

    ValueIndex(DataType type) {
        this.wanted = new ValueBytes(type);
        this.known = new ValueBytes(type);
    }

    void reset() {
        if (size > 0) {
            Arrays.fill(table, FREE);
            Arrays.fill(columns, 0, size, null);
            size = 0;
        }
    }

    /** The number of an equal value, or -1. */
    int find(Column column, int row) {
        wanted.at(column, row);
        return table[place(wanted.hash())] - 1;
    }

    /** Gives a value that {@link #find} did not find the next number. */
    void add(Column column, int row) {
        if (size == rows.length) {
            grow();
        }
        wanted.at(column, row);
        int hash = wanted.hash();
        hashes[size] = hash;
        columns[size] = column;
        rows[size] = row;
        table[place(hash)] = ++size;
    }

    /** Where the wanted value is, or could be put. */
    private int place(int hash) {
        int mask = table.length - 1;
        int place = hash & mask;
        while (table[place] != FREE) {
            int number = table[place] - 1;
            if (hashes[number] == hash) {
                known.at(columns[number], rows[number]);
                if (known.sameAs(wanted)) {
                    return place;
                }
            }
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        int capacity = rows.length * 2;
        hashes = Arrays.copyOf(hashes, capacity);
        columns = Arrays.copyOf(columns, capacity);
        rows = Arrays.copyOf(rows, capacity);
        table = new int[capacity * 2];
        int mask = table.length - 1;
        for (int number = 0; number < size; number++) {
            int place = hashes[number] & mask;
            while (table[place] != FREE) {
                place = (place + 1) & mask;
            }
            table[place] = number + 1;
        }
    }
}
