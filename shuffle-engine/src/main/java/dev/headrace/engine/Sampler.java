package dev.headrace.engine;

import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.partition.Chance;
import dev.headrace.partition.Keys;
import dev.headrace.table.BufferSource;
import dev.headrace.table.Chunk;
import dev.headrace.table.Column;
import dev.headrace.table.IpcReader;
import dev.headrace.table.Schema;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Draws rows of a batch for {@link BoundaryFinder}: every row with the same chance, as a function of the batch's number
 * and its rows alone. One thread.
 */
final class Sampler {
    /** A sample of long keys is made smaller until it fits this, as samples of all batches meet on a driver's heap. */
    private static final long MOST_BYTES = 1L << 20;

    private static final long SEED = 0x510E527FADE682D1L;

    private final List<String> keys;
    private final long batch;
    private final MemorySegment ipc;
    private final BufferSource memory;

    /**
     * @param keys names of the key columns
     * @param ipc an Arrow IPC stream or file, only read
     */
    Sampler(List<String> keys, long batch, MemorySegment ipc, BufferSource memory) {
        this.keys = keys;
        this.batch = batch;
        this.ipc = ipc;
        this.memory = memory;
    }

    /** At most that many rows, at least 1 if the batch has any. */
    Sample draw(int mostRows) {
        long rows = countRows();
        int most = Math.max(1, mostRows);
        while (true) {
            IpcBytes sample = gather(chosen(rows, most));
            if (sample.size() <= MOST_BYTES || most == 1) {
                return new Sample(batch, rows, sample.toByteArray());
            }
            most = Math.max(1, most / 4);
        }
    }

    private long countRows() {
        long rows = 0;
        try (IpcReader reader = new IpcReader(ipc, memory)) {
            Keys.resolve(keys, reader.schema().names(), reader.schema().types());
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                rows += chunk.rows();
            }
        }
        return rows;
    }

    /** Distinct row numbers, ascending: Floyd's algorithm, which draws once for each. */
    private long[] chosen(long rows, int most) {
        Set<Long> chosen = new HashSet<>();
        long state = Chance.ofBatch(SEED, batch);
        for (long last = Math.max(0, rows - most); last < rows; last++) {
            long drawn = Math.unsignedMultiplyHigh(Chance.at(state, last), last + 1);
            if (!chosen.add(drawn)) {
                chosen.add(last);
            }
        }
        return chosen.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private IpcBytes gather(long[] chosen) {
        try (IpcReader reader = new IpcReader(ipc, memory)) {
            Schema all = reader.schema();
            int[] columns = Keys.resolve(keys, all.names(), all.types());
            Schema schema =
                    Schema.of(Arrays.stream(columns).mapToObj(all.fields()::get).toList(), List.of());
            IpcBytes out = new IpcBytes(schema);
            BlockBuilder builder = new BlockBuilder(Layout.of(schema.types()));
            long base = 0;
            int at = 0;
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                int end = at;
                while (end < chosen.length && chosen[end] < base + chunk.rows()) {
                    end++;
                }
                if (end > at) {
                    long first = base;
                    int[] rows = Arrays.stream(chosen, at, end)
                            .mapToInt(row -> Math.toIntExact(row - first))
                            .toArray();
                    List<Column> source = Arrays.stream(columns)
                            .mapToObj(chunk.columns()::get)
                            .toList();
                    builder.addRows(source, rows, 0, rows.length);
                    out.add(builder);
                }
                base += chunk.rows();
                at = end;
            }
            return out;
        }
    }
}
