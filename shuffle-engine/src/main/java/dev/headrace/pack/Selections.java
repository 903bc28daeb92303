package dev.headrace.pack;

import dev.headrace.table.Column;
import java.util.Arrays;

/**
 * What a column was asked to take, in order, so that the copying pass is a plain loop in every column whatever stands
 * above it. A selection is either rows {@code rows[from .. from + count)} or the range {@code [from, from + count)} of
 * one source. Ranges that follow each other are one. One thread; reused.
 */
@SuppressWarnings("ReferenceEquality") // which source object, not what is in it
final class Selections {
    private static final int[] RANGE = {};

    private Column[] sources = new Column[8];
    private int[][] rows = new int[8][];
    private long[] from = new long[8];
    private long[] count = new long[8];
    private int size;

    void reset() {
        Arrays.fill(sources, 0, size, null);
        Arrays.fill(rows, 0, size, null);
        size = 0;
    }

    void addRows(Column source, int[] order, int first, int end) {
        add(source, order, first, end - first);
    }

    void addRange(Column source, long start, long length) {
        int last = size - 1;
        if (last >= 0 && sources[last] == source && rows[last] == RANGE && from[last] + count[last] == start) {
            count[last] += length;
        } else {
            add(source, RANGE, start, length);
        }
    }

    int size() {
        return size;
    }

    Column source(int i) {
        return sources[i];
    }

    boolean isRange(int i) {
        return rows[i] == RANGE;
    }

    int[] rows(int i) {
        return rows[i];
    }

    long from(int i) {
        return from[i];
    }

    long count(int i) {
        return count[i];
    }

    private void add(Column source, int[] order, long first, long length) {
        if (size == sources.length) {
            sources = Arrays.copyOf(sources, size * 2);
            rows = Arrays.copyOf(rows, size * 2);
            from = Arrays.copyOf(from, size * 2);
            count = Arrays.copyOf(count, size * 2);
        }
        sources[size] = source;
        rows[size] = order;
        from[size] = first;
        count[size] = length;
        size++;
    }
}
