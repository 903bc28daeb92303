package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;

/**
 * Reads values of up to 8 bytes as signed words that compare as the values do: integers by value, floats widened to
 * double with one zero and one NaN, counts of time by value. Pure functions, any thread.
 */
final class SortWords {
    /** The word of NaN, which no number has. */
    static final long NAN = Long.MIN_VALUE;

    private SortWords() {}

    /** Whether values of the type fit words. */
    static boolean fit(DataType type) {
        return type instanceof DataType.Bool
                || (type instanceof DataType.Fixed(int width, Meaning meaning)
                        && width <= 8
                        && !(meaning instanceof Meaning.Bytes));
    }

    /** Sets {@code words[i]} to the word of row {@code from + i}; what it says of nulls means nothing. */
    static void read(Column column, long from, int rows, long[] words) {
        MemorySegment values = column.buffers().getFirst();
        switch (column.type()) {
            case DataType.Fixed(int width, Meaning.Floating ignored) -> floats(values, width, from, rows, words);
            case DataType.Fixed(int width, Meaning.UnsignedInt ignored) -> unsigned(values, width, from, rows, words);
            case DataType.Fixed(int width, Meaning ignored) -> Words.signed(values, width, from, rows, words, 0);
            default -> Words.bits(values, from, rows, words, 0);
        }
    }

    private static void unsigned(MemorySegment values, int widthBytes, long from, int rows, long[] words) {
        Words.unsigned(values, widthBytes, from, rows, words, 0);
        for (int i = 0; i < rows; i++) {
            words[i] ^= Long.MIN_VALUE;
        }
    }

    private static void floats(MemorySegment values, int widthBytes, long from, int rows, long[] words) {
        switch (widthBytes) {
            case 2 -> {
                for (int i = 0; i < rows; i++) {
                    words[i] = word(Float.float16ToFloat(values.get(Words.SHORT, 2 * (from + i))));
                }
            }
            case 4 -> {
                for (int i = 0; i < rows; i++) {
                    words[i] = word(Float.intBitsToFloat(values.get(Words.INT, 4 * (from + i))));
                }
            }
            default -> {
                for (int i = 0; i < rows; i++) {
                    words[i] = word(Double.longBitsToDouble(values.get(Words.LONG, 8 * (from + i))));
                }
            }
        }
    }

    /** Adding zero turns -0.0 into 0.0; the bits of negative numbers fall as the numbers rise. */
    private static long word(double value) {
        long bits = Double.doubleToRawLongBits(value + 0.0);
        long word = bits ^ ((bits >> 63) & Long.MAX_VALUE);
        return Double.isNaN(value) ? NAN : word;
    }
}
