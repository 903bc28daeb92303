package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.LONG;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A growing bitmap on the heap: bits are gathered here while rows are counted, since one needs to know whether any is
 * zero before the block is laid out. Bits past the end of the last word are zero. One thread; reused.
 */
final class Bits {
    private long[] words = new long[16];
    private long size;
    private long ones;

    void reset() {
        size = 0;
        ones = 0;
    }

    long size() {
        return size;
    }

    long zeros() {
        return size - ones;
    }

    boolean get(long index) {
        return (words[(int) (index >>> 6)] >>> (index & 63) & 1) != 0;
    }

    /** Makes a bit zero; {@link #zeros} does not count it. */
    void clear(long index) {
        words[(int) (index >>> 6)] &= ~(1L << (index & 63));
    }

    void appendOnes(long count) {
        reserve(count);
        long left = count;
        while (left > 0) {
            int n = (int) Math.min(64, left);
            push(-1L >>> (64 - n), n);
            left -= n;
        }
    }

    void appendRange(MemorySegment bitmap, long start, long count) {
        reserve(count);
        long end = start + count;
        for (long at = start; at < end; at += 64) {
            int n = (int) Math.min(64, end - at);
            push(load(bitmap, at, n), n);
        }
    }

    void appendRows(MemorySegment bitmap, int[] rows, int from, int to) {
        reserve(to - from);
        for (int i = from; i < to; ) {
            int n = Math.min(64, to - i);
            long word = 0;
            for (int bit = 0; bit < n; bit++) {
                long row = rows[i + bit];
                word |= (bitmap.get(LittleEndian.BYTE, row >>> 3) >>> (row & 7) & 1L) << bit;
            }
            push(word, n);
            i += n;
        }
    }

    /** Bytes that {@link #write} fills, without padding. */
    long bytes() {
        return (size + 7) >>> 3;
    }

    /** Writes whole words, so up to the next multiple of 8 bytes. */
    void write(MemorySegment target, long at) {
        MemorySegment.copy(words, 0, target, LONG, at, (int) ((size + 63) >>> 6));
    }

    /** The first zero at or after {@code from}, or -1. */
    long nextZero(long from) {
        if (from >= size) {
            return -1;
        }
        int word = (int) (from >>> 6);
        long zeros = ~words[word] & (-1L << (from & 63));
        int last = (int) ((size - 1) >>> 6);
        while (zeros == 0) {
            if (word == last) {
                return -1;
            }
            zeros = ~words[++word];
        }
        long found = ((long) word << 6) + Long.numberOfTrailingZeros(zeros);
        return found < size ? found : -1;
    }

    /** {@code count} bits (1 to 64) from a bitmap that may end with the last of them; higher bits are zero. */
    private static long load(MemorySegment bitmap, long bit, int count) {
        long first = bit >>> 3;
        int shift = (int) bit & 7;
        int bytes = (shift + count + 7) >>> 3;
        long word = 0;
        if (first + 8 <= bitmap.byteSize()) {
            word = bitmap.get(LONG, first) >>> shift;
        } else {
            for (int i = Math.min(bytes, 8) - 1; i >= 0; i--) {
                word = (word << 8) | (bitmap.get(LittleEndian.BYTE, first + i) & 0xFFL);
            }
            word >>>= shift;
        }
        if (bytes == 9) {
            word |= (bitmap.get(LittleEndian.BYTE, first + 8) & 0xFFL) << (64 - shift);
        }
        return word & (-1L >>> (64 - count));
    }

    private void push(long bits, int count) {
        int word = (int) (size >>> 6);
        int shift = (int) size & 63;
        if (shift == 0) {
            words[word] = bits;
        } else {
            words[word] |= bits << shift;
            if (shift + count > 64) {
                words[word + 1] = bits >>> (64 - shift);
            }
        }
        size += count;
        ones += Long.bitCount(bits);
    }

    private void reserve(long count) {
        int needed = Math.toIntExact((size + count + 63) >>> 6) + 1;
        if (needed > words.length) {
            words = Arrays.copyOf(words, Math.max(needed, words.length * 2));
        }
    }
}
