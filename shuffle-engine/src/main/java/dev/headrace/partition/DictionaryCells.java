package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Cells of dictionary columns: those of the values. A dictionary is hashed once and remembered for the next calls,
 * unless it is so large that most of its values may never be used.
 */
final class DictionaryCells implements Cells {
    private final DictionaryIndices indices;
    private final Cells values;
    private long[] remembered = new long[1];
    private @Nullable Column rememberedOf;

    DictionaryCells(DataType.Dictionary type) {
        this.indices = new DictionaryIndices(type);
        this.values = Cells.of(type.values());
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        long[] valueOf = indices.read(column, from, rows);
        Column dictionary = column.children().getFirst();
        if (remembers(dictionary, column.rows())) {
            for (int i = 0; i < rows; i++) {
                cells[at + i] = remembered[(int) valueOf[i]];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                values.read(dictionary, valueOf[i], 1, cells, at + i);
            }
        }
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
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
            remembered = new long[size];
        }
        rememberedOf = null;
        for (int at = 0; at < size; at += MAX_ROWS) {
            values.read(dictionary, at, Math.min(MAX_ROWS, size - at), remembered, at);
        }
        rememberedOf = dictionary;
        return true;
    }
}
