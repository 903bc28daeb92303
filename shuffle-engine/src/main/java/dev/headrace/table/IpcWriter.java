package dev.headrace.table;

import java.util.List;

/**
 * Writes columns as an Arrow IPC stream without copying them: {@link #schemaMessage()}, any number of
 * {@link #recordBatch}, {@link #endOfStream()}. Immutable; any thread.
 */
public final class IpcWriter {
    private final Schema schema;

    /** @param schema what the stream says; its dictionaries get new ids if columns share one */
    public IpcWriter(Schema schema) {
        this.schema = schema.withDistinctDictionaries();
    }

    public byte[] schemaMessage() {
        return schema.toMessage();
    }

    /** The eight bytes behind the last batch. */
    public byte[] endOfStream() {
        return Encapsulation.endOfStream();
    }

    /**
     * One record batch, and before it the dictionaries of all its dictionary columns, which replace those of the batch
     * before. Buffers are cut to what the rows use and padded to 8 bytes.
     *
     * @param columns one per field, of its type, from row 0 on
     * @param rows how many rows each has; all there is to say where there are no columns
     */
    public IpcMessage recordBatch(List<Column> columns, long rows) {
        check(columns, rows);
        IpcMessage.Builder target = new IpcMessage.Builder();
        BatchEncoder batch = new BatchEncoder();
        for (int i = 0; i < columns.size(); i++) {
            writeDictionaries(schema.fields().get(i), columns.get(i), target);
            batch.add(columns.get(i));
        }
        batch.writeRecordBatch(rows, target);
        return target.build();
    }

    private void check(List<Column> columns, long rows) {
        if (columns.size() != schema.fields().size()) {
            throw new IllegalArgumentException(columns.size() + " columns for a schema of "
                    + schema.fields().size());
        }
        for (int i = 0; i < columns.size(); i++) {
            Field field = schema.fields().get(i);
            Column column = columns.get(i);
            if (!column.type().equals(field.type()) || column.rows() != rows) {
                throw new IllegalArgumentException("column " + field.name() + " of type " + column.type() + " with "
                        + column.rows() + " rows, for type " + field.type() + " and " + rows + " rows");
            }
        }
    }

    /** Inner dictionaries first: a reader may put the outer one together as soon as it comes. */
    private static void writeDictionaries(Field field, Column column, IpcMessage.Builder target) {
        if (field.type() instanceof DataType.Dictionary) {
            Column values = column.children().get(0);
            writeChildren(field, values, target);
            BatchEncoder batch = new BatchEncoder();
            batch.add(values);
            batch.writeDictionary(field.dictionaryId(), values.rows(), target);
            return;
        }
        writeChildren(field, column, target);
    }

    private static void writeChildren(Field field, Column column, IpcMessage.Builder target) {
        for (int i = 0; i < field.children().size(); i++) {
            writeDictionaries(field.children().get(i), column.children().get(i), target);
        }
    }
}
