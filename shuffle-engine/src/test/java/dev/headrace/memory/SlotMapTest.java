package dev.headrace.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotMapTest {

    @Test
    void shouldFindWhatAPlainSearchFinds() {
        long seed = new Random().nextLong();
        System.out.println("seed of shouldFindWhatAPlainSearchFinds: " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int slots = 1 + random.nextInt(150);
            SlotMap map = new SlotMap(slots);
            boolean[] taken = new boolean[slots];
            for (int step = 0; step < 100; step++) {
                int from = random.nextInt(slots);
                int length = 1 + random.nextInt(slots - from);
                change(map, taken, from, length);
                int start = random.nextInt(slots + 1);
                Window closed = new Window(start, start + random.nextInt(slots - start + 1));
                int needed = 1 + random.nextInt(Math.min(slots, 12));
                assertThat(map.find(needed, closed)).isEqualTo(search(taken, needed, closed));
                assertThat(map.free()).isEqualTo(free(taken, new Window(0, slots)));
                assertThat(map.freeIn(closed)).isEqualTo(free(taken, closed));
                Window emptiest = map.emptiest(needed);
                for (int at = 0; at + needed <= slots; at++) {
                    assertThat(free(taken, new Window(at, at + needed)))
                            .isLessThan(free(taken, emptiest) + (at <= emptiest.from() ? 1 : 0));
                }
            }
        }
    }

    /** Takes the range if it is all free, gives it if it is all taken. */
    private static void change(SlotMap map, boolean[] taken, int from, int length) {
        int free = free(taken, new Window(from, from + length));
        if (free != 0 && free != length) {
            return;
        }
        if (free == length) {
            map.take(from, length);
        } else {
            map.give(from, length);
        }
        for (int slot = from; slot < from + length; slot++) {
            taken[slot] = free == length;
        }
    }

    private static int search(boolean[] taken, int needed, Window closed) {
        int found = SlotMap.NOWHERE;
        for (int from = 0; from + needed <= taken.length; from++) {
            boolean fits = true;
            for (int slot = from; slot < from + needed; slot++) {
                fits &= !taken[slot] && !closed.contains(slot);
            }
            if (fits && needed == 1) {
                return from;
            }
            found = fits ? from : found;
        }
        return found;
    }

    private static int free(boolean[] taken, Window window) {
        int free = 0;
        for (int slot = window.from(); slot < window.to(); slot++) {
            free += taken[slot] ? 0 : 1;
        }
        return free;
    }
}
