package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Cells of dictionary columns: those of the values. A dictionary is hashed once and remembered for the next calls,
 * unless it is so large that most of its values may never be used.
 */
final class DictionaryCells implements Cells {
    /** Bounds the heap that a remembered dictionary takes to 8 MiB. */
    private static final int MAX_REMEMBERED = 1 << 20;

    private final int indexBytes;
    private final boolean signedIndex;
    private final Cells values;
    private final long[] indices = new long[MAX_ROWS];
    private long[] remembered = new long[1];
    private @Nullable Column rememberedOf;

    DictionaryCells(DataType.Dictionary type) {
        this.indexBytes = type.index().widthBytes();
        this.signedIndex = type.index().meaning() instanceof Meaning.SignedInt;
        this.values = Cells.of(type.values());
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        readIndices(column.buffers().getFirst(), from, rows);
        // An index under a null can be anything: read row 0 instead.
        NullMask.apply(column.validity(), from, rows, indices, 0, 0);
        Column dictionary = column.children().getFirst();
        if (remembers(dictionary, column.rows())) {
            for (int i = 0; i < rows; i++) {
                cells[at + i] = remembered[(int) indices[i]];
            }
        } else {
            for (int i = 0; i < rows; i++) {
                values.read(dictionary, indices[i], 1, cells, at + i);
            }
        }
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
    }

    private void readIndices(MemorySegment buffer, long from, int rows) {
        if (signedIndex) {
            Words.signed(buffer, indexBytes, from, rows, indices, 0);
        } else {
            Words.unsigned(buffer, indexBytes, from, rows, indices, 0);
        }
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
