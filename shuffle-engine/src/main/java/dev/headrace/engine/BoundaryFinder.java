package dev.headrace.engine;

import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.partition.KeyRows;
import dev.headrace.partition.SortKey;
import dev.headrace.table.Column;
import dev.headrace.table.Schema;
import dev.headrace.table.SchemaUnifier;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds boundaries that cut the rows of all batches into partitions of about the same size, from a sample of each: a
 * function of the samples alone, whatever their order. Everything is on the caller's heap; one thread.
 */
public final class BoundaryFinder {
    /** The size of a partition then varies by an eighth. */
    private static final long ROWS_PER_PARTITION = 64;

    private static final long LEAST_ROWS = 1_024;
    private static final int MOST_ROWS_PER_BATCH = 1 << 20;

    private final List<SortKey> keys;
    private final List<SchemaUnifier.Ranked> schemas = new ArrayList<>();
    private final List<SampledRow> rows = new ArrayList<>();
    private final List<List<Column>> chunks = new ArrayList<>();

    /** Row {@code row} of a chunk, which stands for {@code weight} rows. */
    private record SampledRow(List<Column> chunk, long row, double weight) {}

    private BoundaryFinder(List<SortKey> keys) {
        this.keys = keys;
    }

    /**
     * How many rows to draw from a batch.
     *
     * @param batchBytes its size
     * @param allBytes the size of all batches together
     */
    public static int sampleRows(int partitions, long batchBytes, long allBytes) {
        long wanted = Math.max(LEAST_ROWS, ROWS_PER_PARTITION * partitions);
        double share = (double) batchBytes / Math.max(1, allBytes);
        return (int) Math.clamp(Math.ceil(wanted * share), 1, MOST_ROWS_PER_BATCH);
    }

    /**
     * The boundaries as an Arrow IPC stream, see {@link Rule.Range}: one less than partitions, or none if no sample has
     * a row. A key that many rows have may be several boundaries; the partitions between stay empty.
     *
     * @param samples one per batch, with distinct numbers
     * @throws dev.headrace.HeadraceException INVALID_INPUT if the batches' keys can't be brought to one type, or if
     *     there is no sample at all
     */
    public static byte[] find(List<SortKey> keys, int partitions, List<Sample> samples) {
        BoundaryFinder finder = new BoundaryFinder(keys);
        samples.stream().sorted(Comparator.comparingLong(Sample::batch)).forEach(finder::add);
        return finder.find(partitions);
    }

    private void add(Sample sample) {
        KeyTable table = KeyTable.read(keys, MemorySegment.ofArray(sample.stream()));
        schemas.add(new SchemaUnifier.Ranked(sample.batch(), table.schema()));
        chunks.addAll(table.chunks());
        long drawn = table.chunks().stream()
                .mapToLong(chunk -> chunk.getFirst().rows())
                .sum();
        for (List<Column> chunk : table.chunks()) {
            for (long row = 0; row < chunk.getFirst().rows(); row++) {
                rows.add(new SampledRow(chunk, row, (double) sample.rows() / drawn));
            }
        }
    }

    private byte[] find(int partitions) {
        Schema schema = SchemaUnifier.unify(schemas);
        int[] sorted = new KeyRows(keys, schema.types(), chunks).sorted();
        double all = rows.stream().mapToDouble(SampledRow::weight).sum();
        IpcBytes out = new IpcBytes(schema);
        BlockBuilder builder = new BlockBuilder(Layout.of(schema.types()));
        int at = 0;
        double through = sorted.length == 0 ? 0 : rows.get(sorted[0]).weight();
        for (int boundary = 1; boundary < partitions && sorted.length > 0; boundary++) {
            while (through <= all * boundary / partitions && at < sorted.length - 1) {
                through += rows.get(sorted[++at]).weight();
            }
            SampledRow row = rows.get(sorted[at]);
            if (builder.rows() > 0 && !builder.fitsRange(row.chunk(), row.row(), 1)) {
                out.add(builder);
            }
            builder.addRange(row.chunk(), row.row(), 1);
        }
        out.add(builder);
        return out.toByteArray();
    }
}
