package dev.headrace.partition;

import dev.headrace.table.Column;

/** Lists of one size: the items, also under a null. */
final class FixedListGauge extends Gauge {
    private final int size;
    private final Gauge item;

    FixedListGauge(int size, Gauge item) {
        super(1 + product(item.fixedBits(), size), item.varies());
        this.size = size;
        this.item = item;
    }

    @Override
    long varying(Column column, long from, long rows) {
        return item.varying(column.children().getFirst(), from * size, rows * size);
    }
}
