package dev.headrace.pack;

import java.util.Arrays;

/**
 * Maps the indices of one source dictionary to small numbers. {@link #start} empties it in no time: what belongs to an
 * older generation does not count. Small dictionaries have a slot per index, large ones hash, so that a huge dictionary
 * costs what is used of it. One thread; reused.
 */
final class IndexMap {
    private static final int MAX_DIRECT = 1 << 18;

    /** Generation in the upper half, number in the lower. */
    private long[] slots = new long[256];

    private int[] keys = {};
    private boolean direct = true;
    private int generation;
    private int used;

    /** Begins with a dictionary of so many values. */
    void start(long values) {
        direct = values <= MAX_DIRECT;
        used = 0;
        if (direct && values > slots.length) {
            slots = new long[Integer.highestOneBit((int) values - 1) << 1];
            keys = new int[0];
            generation = 0;
        }
        if (!direct && keys.length != slots.length) {
            keys = new int[slots.length];
        }
        generation++;
        if (generation == Integer.MAX_VALUE) {
            Arrays.fill(slots, 0);
            generation = 1;
        }
    }

    /** The number of an index, or -1. */
    int get(int index) {
        long slot = slots[direct ? index : place(index)];
        return (int) (slot >>> 32) == generation ? (int) slot : -1;
    }

    /** Gives an index that has no number one. */
    void put(int index, int number) {
        int place = index;
        if (!direct) {
            if (++used * 2 > slots.length) {
                grow();
            }
            place = place(index);
            keys[place] = index;
        }
        slots[place] = ((long) generation << 32) | number;
    }

    private int place(int index) {
        int mask = slots.length - 1;
        int place = ((index * 0x9E37_79B9) >>> 7) & mask;
        while ((int) (slots[place] >>> 32) == generation && keys[place] != index) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private void grow() {
        long[] oldSlots = slots;
        int[] oldKeys = keys;
        slots = new long[oldSlots.length * 2];
        keys = new int[slots.length];
        for (int i = 0; i < oldSlots.length; i++) {
            if ((int) (oldSlots[i] >>> 32) == generation) {
                int place = place(oldKeys[i]);
                slots[place] = oldSlots[i];
                keys[place] = oldKeys[i];
            }
        }
    }
}
