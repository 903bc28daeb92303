package dev.headrace.transport.ucx;

/**
 * Takes each sequence number once. Numbers may come in any order within a window behind the highest one seen; what is
 * older than that is refused, because nobody remembers any more whether it came before.
 */
final class ReplayWindow {
    /** How far behind the newest a message may come. */
    static final int SIZE = 4096;

    private final long[] seen = new long[SIZE / Long.SIZE];
    private long highest;

    enum Verdict {
        FRESH,
        REPEATED,
        /** Fresh or repeated: nobody can tell. */
        TOO_OLD
    }

    /** Judges a number, and remembers it. */
    Verdict take(long sequence) {
        if (sequence <= 0 || sequence <= highest - SIZE) {
            return Verdict.TOO_OLD;
        }
        if (sequence > highest) {
            long from = Math.max(highest + 1, sequence - SIZE + 1);
            for (long each = from; each <= sequence; each++) {
                seen[word(each)] &= ~bit(each);
            }
            highest = sequence;
        }
        boolean fresh = (seen[word(sequence)] & bit(sequence)) == 0;
        seen[word(sequence)] |= bit(sequence);
        return fresh ? Verdict.FRESH : Verdict.REPEATED;
    }

    private static int word(long sequence) {
        return (int) (sequence % SIZE) / Long.SIZE;
    }

    private static long bit(long sequence) {
        return 1L << (sequence % Long.SIZE);
    }
}
