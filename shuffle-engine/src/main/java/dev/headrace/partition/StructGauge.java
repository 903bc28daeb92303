package dev.headrace.partition;

import dev.headrace.table.Column;
import java.util.List;

/** Structs and sparse unions: every child has every row. */
final class StructGauge extends Gauge {
    private final List<Gauge> fields;

    /** A struct: a validity bit and the fields. */
    StructGauge(List<Gauge> fields) {
        this(1, fields);
    }

    StructGauge(long ownBits, List<Gauge> fields) {
        super(ownBits + fixedBits(fields), fields.stream().anyMatch(Gauge::varies));
        this.fields = fields;
    }

    @Override
    void add(Column column, long from, int rows, long[] bits) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).varies()) {
                fields.get(i).add(column.children().get(i), from, rows, bits);
            }
        }
    }

    @Override
    long varying(Column column, long from, long rows) {
        long bits = 0;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).varies()) {
                bits += fields.get(i).varying(column.children().get(i), from, rows);
            }
        }
        return bits;
    }
}
