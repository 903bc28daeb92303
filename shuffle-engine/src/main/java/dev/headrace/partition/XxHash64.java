package dev.headrace.partition;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** XXH64 of Yann Collet with seed 0, over any memory: a pure function, any thread. */
final class XxHash64 {
    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_3 = 0x165667B19E3779F9L;
    private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME_5 = 0x27D4EB2F165667C5L;
    private static final int STRIPE_BYTES = 32;

    /** PRIME_1 + PRIME_2 modulo 2^64: the compiler refuses a constant sum that overflows. */
    private static final long START_A = 0x60EA27EEADC0B5D6L;

    private XxHash64() {}

    /** The hash of {@code length} bytes of {@code data} from {@code offset} on. */
    static long hash(MemorySegment data, long offset, long length) {
        long end = offset + length;
        long at = offset;
        long hash = PRIME_5;
        if (length >= STRIPE_BYTES) {
            hash = stripes(data, offset, length);
            at += length & -STRIPE_BYTES;
        }
        hash += length;
        for (; at + 8 <= end; at += 8) {
            hash = Long.rotateLeft(hash ^ round(0, data.get(Words.LONG, at)), 27) * PRIME_1 + PRIME_4;
        }
        if (at + 4 <= end) {
            hash = Long.rotateLeft(hash ^ (data.get(Words.INT, at) & 0xFFFFFFFFL) * PRIME_1, 23) * PRIME_2 + PRIME_3;
            at += 4;
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft(hash ^ (data.get(ValueLayout.JAVA_BYTE, at) & 0xFFL) * PRIME_5, 11) * PRIME_1;
        }
        hash = (hash ^ hash >>> 33) * PRIME_2;
        hash = (hash ^ hash >>> 29) * PRIME_3;
        return hash ^ hash >>> 32;
    }

    private static long stripes(MemorySegment data, long offset, long length) {
        long a = START_A;
        long b = PRIME_2;
        long c = 0;
        long d = -PRIME_1;
        long last = offset + length - STRIPE_BYTES;
        for (long at = offset; at <= last; at += STRIPE_BYTES) {
            a = round(a, data.get(Words.LONG, at));
            b = round(b, data.get(Words.LONG, at + 8));
            c = round(c, data.get(Words.LONG, at + 16));
            d = round(d, data.get(Words.LONG, at + 24));
        }
        long hash = Long.rotateLeft(a, 1) + Long.rotateLeft(b, 7) + Long.rotateLeft(c, 12) + Long.rotateLeft(d, 18);
        hash = merge(hash, a);
        hash = merge(hash, b);
        hash = merge(hash, c);
        return merge(hash, d);
    }

    private static long round(long lane, long word) {
        return Long.rotateLeft(lane + word * PRIME_2, 31) * PRIME_1;
    }

    private static long merge(long hash, long lane) {
        return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
    }
}
