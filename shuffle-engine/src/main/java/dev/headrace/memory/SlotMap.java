package dev.headrace.memory;

import java.util.BitSet;

/**
 * Which slots of a pool are free, and which of them to take next: the lowest for single slabs, so that memory which was
 * touched before is used again, and the highest for runs, so that singles don't cut them up. Owned by one pool, whose
 * lock guards it.
 */
final class SlotMap {
    static final int NOWHERE = -1;

    private final int slots;
    private final BitSet free;
    private int freeCount;
    /** No free slot lies below this one. */
    private int lowestFree;

    SlotMap(int slots) {
        this.slots = slots;
        this.free = new BitSet(slots);
        free.set(0, slots);
        this.freeCount = slots;
    }

    int slots() {
        return slots;
    }

    int free() {
        return freeCount;
    }

    int freeIn(Window window) {
        return free.get(window.from(), window.to()).cardinality();
    }

    /** The first slot for a request of this length that lies wholly outside the closed window, or {@link #NOWHERE}. */
    int find(int length, Window closed) {
        return length == 1 ? lowest(closed) : highestRun(length, closed);
    }

    void take(int from, int length) {
        free.clear(from, from + length);
        freeCount -= length;
    }

    void give(int from, int length) {
        free.set(from, from + length);
        freeCount += length;
        lowestFree = Math.min(lowestFree, from);
    }

    /** The window of this length that has the fewest slots taken, the highest of those. */
    Window emptiest(int length) {
        int taken = length - freeIn(new Window(0, length));
        int fewest = taken;
        int best = 0;
        for (int from = 1; from + length <= slots; from++) {
            taken += (free.get(from - 1) ? 0 : -1) + (free.get(from + length - 1) ? 0 : 1);
            if (taken <= fewest) {
                fewest = taken;
                best = from;
            }
        }
        return new Window(best, best + length);
    }

    private int lowest(Window closed) {
        int slot = free.nextSetBit(lowestFree);
        lowestFree = slot < 0 ? slots : slot;
        return slot >= 0 && closed.contains(slot) ? free.nextSetBit(closed.to()) : slot;
    }

    private int highestRun(int length, Window closed) {
        int last = free.previousSetBit(slots - 1);
        while (last >= 0) {
            if (closed.contains(last)) {
                last = free.previousSetBit(closed.from() - 1);
                continue;
            }
            int first = free.previousClearBit(last) + 1;
            if (last >= closed.to()) {
                first = Math.max(first, closed.to());
            }
            if (last - first + 1 >= length) {
                return last - length + 1;
            }
            last = free.previousSetBit(first - 1);
        }
        return NOWHERE;
    }
}
