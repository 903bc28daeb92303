package dev.headrace.pack;

import java.util.Arrays;

/** A growing array of ints. One thread; reused. */
final class IntList {
    /** The longest array that every JVM makes. */
    static final int MAX_SIZE = Integer.MAX_VALUE - 8;

    private int[] values = new int[64];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    int get(int index) {
        return values[index];
    }

    void set(int index, int value) {
        values[index] = value;
    }

    void add(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, (int) Math.min(MAX_SIZE, size * 2L));
        }
        values[size++] = value;
    }

    /** Makes the list so long that {@code count} more have their place, of any value; returns where they start. */
    int extend(long count) {
        int start = size;
        int needed = Math.toIntExact(size + count);
        if (needed > values.length) {
            values = Arrays.copyOf(values, (int) Math.min(MAX_SIZE, Math.max(needed, values.length * 2L)));
        }
        size = needed;
        return start;
    }

    void shorten(int newSize) {
        size = newSize;
    }

    /** The values themselves. What is there now stays as it is in this array, also when the list moves to another. */
    int[] array() {
        return values;
    }
}
