package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;

/**
 * Says where values of one key type lie among {@link Landmarks}: at {@code 2 i + 1} if equal to the i-th, at {@code 2
 * i} if before it and after the one before. Places compare as the values do, and a landmark's own place tells all about
 * it. Some keep scratch space: one thread at a time.
 */
sealed interface Places permits WordPlaces, WideDecimalPlaces, BytesPlaces, DictionaryPlaces, RunEndPlaces, NullPlaces {

    /** The most rows that one {@link #read} takes. */
    int MAX_ROWS = Cells.MAX_ROWS;

    /** The place of null: beside all values; the order of the key says where. */
    int NULL = -2;

    /** The place of NaN, likewise. */
    int NAN = -1;

    /** Sets {@code places[i]} to the place of row {@code from + i} for {@code rows} rows, at most MAX_ROWS. */
    void read(Column column, long from, int rows, int[] places);

    /** The reader for columns of a type whose family the landmarks are of. */
    static Places of(DataType type, Landmarks landmarks) {
        return switch (type) {
            case DataType.Null ignored -> new NullPlaces();
            case DataType.Dictionary dictionary -> new DictionaryPlaces(dictionary, of(dictionary.values(), landmarks));
            case DataType.RunEnd runEnd -> new RunEndPlaces(runEnd, of(runEnd.values(), landmarks));
            case DataType.Fixed(int width, Meaning.Decimal ignored)
            when width > 8 -> new WideDecimalPlaces(width, landmarks);
            default -> SortWords.fit(type) ? new WordPlaces(type, landmarks) : new BytesPlaces(landmarks);
        };
    }

    /** How many of the sorted values are at most {@code value}: a search without a branch to guess wrong. */
    static int countAtMost(long[] sorted, long value) {
        int base = 0;
        int count = sorted.length;
        while (count > 1) {
            int half = count >>> 1;
            base = sorted[base + half - 1] <= value ? base + half : base;
            count -= half;
        }
        return count == 1 && sorted[base] <= value ? base + 1 : base;
    }

    /** The place of a value among sorted distinct ones. */
    static int place(long[] sorted, long value) {
        int atMost = countAtMost(sorted, value);
        return atMost > 0 && sorted[atMost - 1] == value ? 2 * atMost - 1 : 2 * atMost;
    }

    /** Overwrites the places of nulls. */
    static void maskNulls(Column column, long from, int rows, int[] places) {
        if (column.validity() != null) {
            for (int i = 0; i < rows; i++) {
                places[i] = Column.bit(column.validity(), from + i) ? places[i] : NULL;
            }
        }
    }
}
