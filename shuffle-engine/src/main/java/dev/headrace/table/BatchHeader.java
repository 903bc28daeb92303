package dev.headrace.table;

import dev.headrace.HeadraceException;
import org.apache.arrow.flatbuf.BodyCompression;
import org.apache.arrow.flatbuf.BodyCompressionMethod;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/** What the metadata of one record batch says, copied out of the flatbuffer. Nothing but the counts is checked yet. */
final class BatchHeader {
    private final long rows;
    private final Codec codec;
    private final boolean unionsHaveValidity;
    private final long[] nodes;
    private final long[] buffers;
    private final long[] dataBufferCounts;

    /** @param metadataBytes the size of the message, which bounds the counts */
    BatchHeader(RecordBatch batch, boolean unionsHaveValidity, int metadataBytes) {
        rows = batch.length();
        codec = codec(batch.compression());
        this.unionsHaveValidity = unionsHaveValidity;
        nodes = new long[2 * bounded(batch.nodesLength(), metadataBytes / 16)];
        FieldNode node = new FieldNode();
        for (int i = 0; i < nodes.length; i += 2) {
            batch.nodes(node, i / 2);
            nodes[i] = node.length();
            nodes[i + 1] = node.nullCount();
        }
        buffers = new long[2 * bounded(batch.buffersLength(), metadataBytes / 16)];
        Buffer buffer = new Buffer();
        for (int i = 0; i < buffers.length; i += 2) {
            batch.buffers(buffer, i / 2);
            buffers[i] = buffer.offset();
            buffers[i + 1] = buffer.length();
        }
        dataBufferCounts = new long[bounded(batch.variadicBufferCountsLength(), metadataBytes / 8)];
        for (int i = 0; i < dataBufferCounts.length; i++) {
            dataBufferCounts[i] = batch.variadicBufferCounts(i);
        }
    }

    private static int bounded(int count, int limit) {
        if (count < 0 || count > limit) {
            throw HeadraceException.corruptData(
                    "an Arrow record batch names " + count + " parts; its metadata has room for " + limit);
        }
        return count;
    }

    private static Codec codec(@Nullable BodyCompression compression) {
        if (compression == null) {
            return Codec.NONE;
        }
        if (compression.method() != BodyCompressionMethod.BUFFER) {
            throw HeadraceException.invalidInput("Arrow body compression method " + compression.method());
        }
        return switch (compression.codec()) {
            case CompressionType.LZ4_FRAME -> Codec.LZ4_FRAME;
            case CompressionType.ZSTD -> Codec.ZSTD;
            default -> throw HeadraceException.invalidInput("Arrow body compression codec " + compression.codec());
        };
    }

    long rows() {
        return rows;
    }

    Codec codec() {
        return codec;
    }

    /** Before version 5 of the format a union had a validity buffer. */
    boolean unionsHaveValidity() {
        return unionsHaveValidity;
    }

    int nodeCount() {
        return nodes.length / 2;
    }

    long nodeRows(int node) {
        return nodes[2 * node];
    }

    long nodeNulls(int node) {
        return nodes[2 * node + 1];
    }

    int bufferCount() {
        return buffers.length / 2;
    }

    long bufferOffset(int buffer) {
        return buffers[2 * buffer];
    }

    long bufferBytes(int buffer) {
        return buffers[2 * buffer + 1];
    }

    int viewCount() {
        return dataBufferCounts.length;
    }

    /** How many data buffers the n-th view column has. */
    long dataBufferCount(int view) {
        return dataBufferCounts[view];
    }
}
