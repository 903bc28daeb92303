package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;

/** Places of values that fit words: booleans, integers, floats, times, and decimals of up to 8 bytes. */
final class WordPlaces implements Places {
    private final boolean floating;
    private final long[] landmarks;
    private final int before;
    private final long[] words = new long[MAX_ROWS];

    WordPlaces(DataType type, Landmarks landmarks) {
        this.floating = type instanceof DataType.Fixed fixed && fixed.meaning() instanceof Meaning.Floating;
        this.landmarks = landmarks.words();
        this.before = 2 * landmarks.before();
    }

    @Override
    public void read(Column column, long from, int rows, int[] places) {
        SortWords.read(column, from, rows, words);
        for (int i = 0; i < rows; i++) {
            places[i] = before + Places.place(landmarks, words[i]);
        }
        if (floating) {
            for (int i = 0; i < rows; i++) {
                places[i] = words[i] == SortWords.NAN ? NAN : places[i];
            }
        }
        Places.maskNulls(column, from, rows, places);
    }
}
