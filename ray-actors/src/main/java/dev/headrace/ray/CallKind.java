package dev.headrace.ray;

/**
 * The sorts of calls to a rank, each with its share of the actor's threads, so that long calls of one sort never keep
 * another from running: statistics answer and an abort gets through while every insert waits for memory.
 */
enum CallKind {
    INSERT(4),
    FETCH(4),
    /** Calls that wait for something to happen: {@code finish}, {@code completed}, {@code awaitConnected}. */
    WAIT(12),
    /** Calls that return at once. */
    CONTROL(4);

    private final int inFlightLimit;

    CallKind(int inFlightLimit) {
        this.inFlightLimit = inFlightLimit;
    }

    /** How many calls of this kind may be in flight to one rank. */
    int inFlightLimit() {
        return inFlightLimit;
    }

    /** How many threads the actor needs for all kinds together. */
    static int threads() {
        int threads = 0;
        for (CallKind kind : values()) {
            threads += kind.inFlightLimit;
        }
        return threads;
    }
}
