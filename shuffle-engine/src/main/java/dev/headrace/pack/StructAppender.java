package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;

/** Fields of the same rows; a struct without fields still has rows and validity. */
final class StructAppender extends ColumnAppender {
    private final Validity validity = new Validity();
    private final ColumnAppender[] fields;

    StructAppender(DataType.Struct type) {
        super(type);
        this.fields = of(type.fields());
    }

    @Override
    long rows() {
        return validity.rows();
    }

    @Override
    void reset() {
        validity.reset();
        for (ColumnAppender field : fields) {
            field.reset();
        }
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        validity.addRows(source, order, from, to);
        for (int i = 0; i < fields.length; i++) {
            fields[i].addRows(source.children().get(i), order, from, to);
        }
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        validity.addRange(source, start, count);
        for (int i = 0; i < fields.length; i++) {
            fields[i].addRange(source.children().get(i), start, count);
        }
    }

    @Override
    boolean fits(Column source, long start, long count) {
        for (int i = 0; i < fields.length; i++) {
            if (!fields[i].fits(source.children().get(i), start, count)) {
                return false;
            }
        }
        return true;
    }

    @Override
    long bytes() {
        long bytes = LittleEndian.pad8(validity.bytes());
        for (ColumnAppender field : fields) {
            bytes += field.bytes();
        }
        return bytes;
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        for (ColumnAppender field : fields) {
            field.write(out);
        }
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.Struct struct && struct.fields().size() == fields.length;
    }
}
