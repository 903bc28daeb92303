package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;

/** Reads which values of its dictionary the rows of a column have. Keeps scratch space: one thread at a time. */
final class DictionaryIndices {
    /** Bounds the heap that is taken to remember something of every value of a dictionary: 8 MiB of words. */
    private static final int MAX_REMEMBERED = 1 << 20;

    private final int indexBytes;
    private final boolean signedIndex;
    private final long[] indices = new long[Cells.MAX_ROWS];

    DictionaryIndices(DataType.Dictionary type) {
        this.indexBytes = type.index().widthBytes();
        this.signedIndex = type.index().meaning() instanceof Meaning.SignedInt;
    }

    /**
     * The index of row {@code from + i} at {@code i}, for at most {@link Cells#MAX_ROWS} rows; valid until the next
     * call. An index under a null can be anything: 0 stands for it.
     */
    long[] read(Column column, long from, int rows) {
        MemorySegment buffer = column.buffers().getFirst();
        if (signedIndex) {
            Words.signed(buffer, indexBytes, from, rows, indices, 0);
        } else {
            Words.unsigned(buffer, indexBytes, from, rows, indices, 0);
        }
        NullMask.apply(column.validity(), from, rows, indices, 0, 0);
        return indices;
    }

    /** Whether to look at every value once, or only at those used: of a very large one most may never be used. */
    static boolean isWorthRemembering(Column dictionary, long uses) {
        return dictionary.rows() <= Math.min(uses, MAX_REMEMBERED);
    }
}
