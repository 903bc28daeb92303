package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Dense unions: a type code, an offset, and one row of one child. */
final class UnionGauge extends Gauge {
    private static final int CODES = 128;

    private final int[] childOf = new int[CODES];
    private final List<Gauge> children;

    UnionGauge(List<Integer> codes, List<Gauge> children) {
        super(8 + 32, true);
        for (int i = 0; i < codes.size(); i++) {
            childOf[codes.get(i)] = i;
        }
        this.children = children;
    }

    @Override
    long varying(Column column, long from, long rows) {
        MemorySegment codes = column.buffers().getFirst();
        MemorySegment offsets = column.buffers().get(1);
        long bits = 0;
        for (long row = from; row < from + rows; row++) {
            int child = childOf[codes.get(ValueLayout.JAVA_BYTE, row)];
            bits += children.get(child).total(column.children().get(child), offsets.get(Words.INT, 4 * row), 1);
        }
        return bits;
    }
}
