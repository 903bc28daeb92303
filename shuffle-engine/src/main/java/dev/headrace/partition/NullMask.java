package dev.headrace.partition;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Overwrites what was read from under nulls: pure functions, any thread. */
final class NullMask {
    private NullMask() {}

    /** Sets {@code words[at + i]} to {@code substitute} where row {@code from + i} is null. */
    static void apply(@Nullable MemorySegment validity, long from, int rows, long[] words, int at, long substitute) {
        if (validity == null) {
            return;
        }
        int i = 0;
        while (i < rows) {
            long row = from + i;
            int bit = (int) (row & 7);
            int step = Math.min(8 - bit, rows - i);
            int valid = validity.get(ValueLayout.JAVA_BYTE, row >>> 3) >>> bit;
            int full = (1 << step) - 1;
            if ((valid & full) == 0) {
                Arrays.fill(words, at + i, at + i + step, substitute);
            } else if ((valid & full) != full) {
                select(words, at + i, step, valid, substitute);
            }
            i += step;
        }
    }

    /** No branch per row: nulls in random places would make it a coin toss. */
    private static void select(long[] words, int at, int rows, int valid, long substitute) {
        for (int j = 0; j < rows; j++) {
            long keep = -((valid >>> j) & 1L);
            words[at + j] = (words[at + j] & keep) | (substitute & ~keep);
        }
    }
}
