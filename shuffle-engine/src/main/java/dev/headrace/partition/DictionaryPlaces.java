package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Places in dictionary columns: those of the values. A dictionary is placed once and remembered for the next calls,
 * unless it is so large that most of its values may never be used.
 */
final class DictionaryPlaces implements Places {
    private final DictionaryIndices indices;
    private final Places values;
    private final int[] some = new int[MAX_ROWS];
    private int[] remembered = new int[1];
    private @Nullable Column rememberedOf;

    DictionaryPlaces(DataType.Dictionary type, Places values) {
        this.indices = new DictionaryIndices(type);
        this.values = values;
    }

    @Override
    public void read(Column column, long from, int rows, int[] places) {
        Column dictionary = column.children().getFirst();
        if (dictionary.rows() == 0) {
            Arrays.fill(places, 0, rows, NULL);
            return;
        }
        long[] valueOf = indices.read(column, from, rows);
        if (remembers(dictionary, column.rows())) {
            for (int i = 0; i < rows; i++) {
                places[i] = remembered[(int) valueOf[i]];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                values.read(dictionary, valueOf[i], 1, some);
                places[i] = some[0];
            }
        }
        Places.maskNulls(column, from, rows, places);
    }

    /** The same object, not an equal one: comparing all buffers would cost more than it saves. */
    @SuppressWarnings("ReferenceEquality")
    private boolean remembers(Column dictionary, long uses) {
        if (rememberedOf == dictionary) {
            return true;
        }
        if (!DictionaryIndices.isWorthRemembering(dictionary, uses)) {
            return false;
        }
        int size = (int) dictionary.rows();
        if (remembered.length < size) {
            remembered = new int[size];
        }
        rememberedOf = null;
        for (int at = 0; at < size; at += MAX_ROWS) {
            int count = Math.min(MAX_ROWS, size - at);
            values.read(dictionary, at, count, some);
            System.arraycopy(some, 0, remembered, at, count);
        }
        rememberedOf = dictionary;
        return true;
    }
}
