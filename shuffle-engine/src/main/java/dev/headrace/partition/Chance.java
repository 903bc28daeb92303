package dev.headrace.partition;

/**
 * The random numbers of a random shuffle, as docs/range-and-random.md has them: functions of the seed and of where a
 * row stands, so that a replay draws the same. Pure functions, any thread.
 */
public final class Chance {
    /** Keeps the order inside a partition independent of the choice of the partition. */
    private static final long ORDER_TAG = 0xA54FF53A5F1D36F1L;

    private Chance() {}

    /** The state of a batch: {@link #at} its rows says where each goes. */
    public static long ofBatch(long seed, long batch) {
        return Mixer.mix(Mixer.start(seed) ^ batch);
    }

    /** The state of one entry: {@link #at} its rows says in which order they come. */
    public static long ofEntry(long seed, int partition, long batch, int piece, int block) {
        long state = Mixer.mix(Mixer.start(seed ^ ORDER_TAG) ^ partition);
        state = Mixer.mix(state ^ batch);
        return Mixer.mix(state ^ ((long) piece << 32 | block));
    }

    /** A word that is uniform over the rows of a state; different rows of one state have different words. */
    public static long at(long state, long row) {
        return Mixer.mix(state + row * Mixer.GAMMA);
    }
}
