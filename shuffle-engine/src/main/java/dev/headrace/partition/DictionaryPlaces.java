package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Places in dictionary columns: those of the values. A dictionary is placed once and remembered for the next calls,
 * unless it is so large that most of its values may never be used.
 */
final class DictionaryPlaces implements Places {
    /** Bounds the heap that a remembered dictionary takes to 4 MiB. */
    private static final int MAX_REMEMBERED = 1 << 20;

    private final int indexBytes;
    private final boolean signedIndex;
    private final Places values;
    private final long[] indices = new long[MAX_ROWS];
    private final int[] some = new int[MAX_ROWS];
    private int[] remembered = new int[1];
    private @Nullable Column rememberedOf;

    DictionaryPlaces(DataType.Dictionary type, Places values) {
        this.indexBytes = type.index().widthBytes();
        this.signedIndex = type.index().meaning() instanceof Meaning.SignedInt;
        this.values = values;
    }

    @Override
    public void read(Column column, long from, int rows, int[] places) {
        if (signedIndex) {
            Words.signed(column.buffers().getFirst(), indexBytes, from, rows, indices, 0);
        } else {
            Words.unsigned(column.buffers().getFirst(), indexBytes, from, rows, indices, 0);
        }
        Column dictionary = column.children().getFirst();
        if (dictionary.rows() == 0) {
            Arrays.fill(places, 0, rows, NULL);
            return;
        }
        // An index under a null can be anything: read row 0 instead.
        NullMask.apply(column.validity(), from, rows, indices, 0, 0);
        if (remembers(dictionary, column.rows())) {
            for (int i = 0; i < rows; i++) {
                places[i] = remembered[(int) indices[i]];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                values.read(dictionary, indices[i], 1, some);
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
        if (dictionary.rows() > Math.min(uses, MAX_REMEMBERED)) {
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
