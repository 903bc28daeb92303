package dev.headrace.partition;

/** The word arithmetic of docs/hash.md: pure functions of 64-bit words, any thread. */
final class Mixer {
    /** 2^64 divided by the golden ratio, made odd: the increment of SplitMix64. */
    static final long GAMMA = 0x9E3779B97F4A7C15L;

    /** The cell of null: the fraction bits of the square root of 2. */
    static final long NULL_CELL = 0x6A09E667F3BCC908L;

    /** Keeps unsigned integers from 2^63 up apart from negative ones: the fraction bits of the square root of 3. */
    private static final long UNSIGNED_TAG = 0xBB67AE8584CAA73BL;

    /** Starts the cell of a decimal: the fraction bits of the square root of 5. */
    private static final long DECIMAL_TAG = 0x3C6EF372FE94F82BL;

    private Mixer() {}

    /** The finalizer of SplitMix64 (Stafford's variant 13): a bijection. */
    static long mix(long word) {
        long z = (word ^ word >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** The state before the first column. */
    static long start(long salt) {
        return mix(salt + GAMMA);
    }

    /** The cell of an unsigned 64-bit integer. */
    static long unsignedCell(long word) {
        return word >= 0 ? word : mix(word ^ UNSIGNED_TAG);
    }

    /** The state of a decimal cell before its words, for a canonical scale. */
    static long decimalStart(int scale) {
        return mix(DECIMAL_TAG + scale);
    }

    /** Takes the cells of one more key column into the states of {@code rows} rows, from {@code at} on. */
    static void chain(long[] states, int at, int rows, long[] cells) {
        for (int i = 0; i < rows; i++) {
            states[at + i] = mix(states[at + i] ^ cells[i]);
        }
    }
}
