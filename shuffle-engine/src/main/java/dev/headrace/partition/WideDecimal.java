package dev.headrace.partition;

/** A signed number of 256 bits that can lose its trailing decimal zeros; scratch space, one thread at a time. */
final class WideDecimal {
    private static final int WORDS = 4;

    /** Two's complement, least significant first. */
    private final long[] words = new long[WORDS];

    void set(long first, long second, long third, long fourth) {
        words[0] = first;
        words[1] = second;
        words[2] = third;
        words[3] = fourth;
    }

    long word(int index) {
        return words[index];
    }

    /** The fewest words that hold the number in two's complement. */
    int words() {
        int count = WORDS;
        while (count > 1 && words[count - 1] == words[count - 2] >> 63) {
            count--;
        }
        return count;
    }

    /** Divides by ten while nothing is lost, and gives back how often; not for zero. */
    int strip() {
        boolean negative = words[WORDS - 1] < 0;
        if (negative) {
            negate();
        }
        int zeros = 0;
        while (isMultipleOfTen()) {
            divideByTen();
            zeros++;
        }
        if (negative) {
            negate();
        }
        return zeros;
    }

    /** 2^64 is 1 modulo 5, so the words' sum has the remainder of the whole. */
    private boolean isMultipleOfTen() {
        if ((words[0] & 1) != 0) {
            return false;
        }
        long sum = 0;
        for (long word : words) {
            sum += Long.remainderUnsigned(word, 5);
        }
        return sum % 5 == 0;
    }

    private void divideByTen() {
        long remainder = 0;
        for (int i = WORDS - 1; i >= 0; i--) {
            long high = (remainder << 32) | (words[i] >>> 32);
            long low = ((high % 10) << 32) | (words[i] & 0xFFFFFFFFL);
            words[i] = ((high / 10) << 32) | (low / 10);
            remainder = low % 10;
        }
    }

    private void negate() {
        boolean carry = true;
        for (int i = 0; i < WORDS; i++) {
            words[i] = ~words[i] + (carry ? 1 : 0);
            carry &= words[i] == 0;
        }
    }
}
