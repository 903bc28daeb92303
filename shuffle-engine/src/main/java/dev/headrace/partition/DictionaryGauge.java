package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.MemorySegment;

/** Dictionary columns: an index, and a value for each row, as if no two rows shared one. */
final class DictionaryGauge extends Gauge {
    private final int indexBytes;
    private final long indexMask;
    private final Gauge values;

    DictionaryGauge(DataType.Dictionary type, Gauge values) {
        super(8L * type.index().widthBytes() + 1 + values.fixedBits(), values.varies());
        this.indexBytes = type.index().widthBytes();
        this.indexMask = type.index().meaning() instanceof Meaning.UnsignedInt ? -1L >>> (64 - 8 * indexBytes) : -1L;
        this.values = values;
    }

    @Override
    long varying(Column column, long from, long rows) {
        MemorySegment indices = column.buffers().getFirst();
        Column dictionary = column.children().getFirst();
        long bits = 0;
        for (long row = from; row < from + rows; row++) {
            if (column.isValid(row)) {
                bits += values.varying(dictionary, Words.signedAt(indices, indexBytes, row) & indexMask, 1);
            }
        }
        return bits;
    }
}
