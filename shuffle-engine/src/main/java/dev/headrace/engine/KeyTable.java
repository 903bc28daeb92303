package dev.headrace.engine;

import dev.headrace.partition.KeyRows;
import dev.headrace.partition.Keys;
import dev.headrace.partition.SortKey;
import dev.headrace.table.Chunk;
import dev.headrace.table.Column;
import dev.headrace.table.Field;
import dev.headrace.table.IpcReader;
import dev.headrace.table.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The key columns of a small table, boundaries or samples, on the heap; immutable, any thread.
 *
 * @param schema the fields of the key columns alone, in the order of the keys
 * @param chunks the key columns of each record batch
 */
record KeyTable(List<SortKey> keys, Schema schema, List<List<Column>> chunks) {

    /** Reads an Arrow IPC stream or file; columns that are no keys don't matter. */
    static KeyTable read(List<SortKey> keys, MemorySegment ipc) {
        List<List<Column>> chunks = new ArrayList<>();
        // Memory that is never given back keeps every chunk valid.
        try (IpcReader reader = new IpcReader(ipc, bytes -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]))) {
            Schema schema = reader.schema();
            List<String> names = keys.stream().map(SortKey::column).toList();
            int[] columns = Keys.resolve(names, schema.names(), schema.types());
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                List<Column> all = chunk.columns();
                chunks.add(Arrays.stream(columns).mapToObj(all::get).toList());
            }
            List<Field> fields =
                    Arrays.stream(columns).mapToObj(schema.fields()::get).toList();
            return new KeyTable(keys, Schema.of(fields, List.of()), chunks);
        }
    }

    KeyRows rows() {
        return new KeyRows(keys, schema.types(), chunks);
    }
}
