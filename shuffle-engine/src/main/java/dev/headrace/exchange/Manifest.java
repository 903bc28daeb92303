package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * What one source promises one owner, sent once with {@code finish}; immutable.
 *
 * @param source rank of the source
 * @param schemas the schemas of the source's batches, each with the first batch that had it
 * @param blocks the {@link BlockKey}s of all blocks that the source sent to the owner
 * @param rows rows per partition of the owner
 */
public record Manifest(int source, List<SchemaOfBatch> schemas, Roaring64Bitmap blocks, long[] rows) {

    /** An encapsulated IPC schema message, and the lowest batch number that came with it. */
    public record SchemaOfBatch(long batch, byte[] message) {}

    /** Rows promised over all partitions of the owner. */
    public long totalRows() {
        long total = 0;
        for (long count : rows) {
            total += count;
        }
        return total;
    }

    /** The manifest as pages, each of at most that many bytes and the body of a frame of its own. */
    public List<byte[]> toPages(long pageBytes) {
        return PageCollector.split(toBytes(), pageBytes);
    }

    /**
     * Little-endian: source i32, schemas (count i32, each batch i64, length i32, bytes), rows (count i32, each i64),
     * bitmap.
     */
    byte[] toBytes() {
        blocks.runOptimize();
        long size = 12 + 8L * rows.length + blocks.serializedSizeInBytes();
        for (SchemaOfBatch schema : schemas) {
            size += 12L + schema.message().length;
        }
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(source).putInt(schemas.size());
        for (SchemaOfBatch schema : schemas) {
            out.putLong(schema.batch()).putInt(schema.message().length).put(schema.message());
        }
        out.putInt(rows.length);
        for (long count : rows) {
            out.putLong(count);
        }
        try {
            blocks.serialize(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Arrays.copyOf(out.array(), out.position());
    }

    /** A number of things of that size that follow: refused before memory is asked for if they can't be there. */
    private static int count(ByteBuffer in, int bytesEach) {
        int count = in.getInt();
        if (count < 0 || count > in.remaining() / bytesEach) {
            throw HeadraceException.corruptData(
                    "manifest announces " + count + " times " + bytesEach + " bytes, but has " + in.remaining());
        }
        return count;
    }

    /** The manifest that a rank sent; CORRUPT_DATA if it can't be read or is another rank's. */
    static Manifest fromBytes(int sender, byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int source = in.getInt();
            if (source != sender) {
                throw HeadraceException.corruptData("rank " + sender + " sent the manifest of rank " + source);
            }
            List<SchemaOfBatch> schemas = new ArrayList<>();
            for (int i = in.getInt(); i > 0; i--) {
                long batch = in.getLong();
                byte[] message = new byte[count(in, 1)];
                in.get(message);
                schemas.add(new SchemaOfBatch(batch, message));
            }
            long[] rows = new long[count(in, Long.BYTES)];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = in.getLong();
            }
            Roaring64Bitmap blocks = new Roaring64Bitmap();
            blocks.deserialize(in);
            return new Manifest(source, schemas, blocks, rows);
        } catch (HeadraceException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw HeadraceException.corruptData("manifest of " + bytes.length + " bytes can't be read: " + e);
        }
    }
}
