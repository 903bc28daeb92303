package dev.headrace.testing;

import dev.headrace.HeadraceException;
import dev.headrace.table.BufferSource;
import dev.headrace.table.Chunk;
import dev.headrace.table.Column;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcReader;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/** Arrow IPC streams in tests: in one piece, from and to columns. */
public final class Streams {
    private static final long MOST_BYTES = 64L << 20;

    private Streams() {}

    /** Fresh memory for each chunk; refuses what no test needs, as a budget would. */
    public static BufferSource memory() {
        return bytes -> {
            if (bytes > MOST_BYTES) {
                throw HeadraceException.outOfMemory(bytes + " bytes asked for, the test gives " + MOST_BYTES);
            }
            return Arena.ofAuto().allocate(bytes, 8);
        };
    }

    /** The bytes in native memory that starts at a multiple of 64. */
    public static MemorySegment inMemory(byte[] bytes) {
        return Arena.ofAuto()
                .allocate(Math.max(1, bytes.length), 64)
                .asSlice(0, bytes.length)
                .copyFrom(MemorySegment.ofArray(bytes));
    }

    /** A resource of the test class path, absolute path. */
    public static byte[] resource(String path) {
        try (InputStream in = Streams.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + path);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls the consumer with every chunk of the stream, and returns the schema. */
    public static Schema forEachChunk(MemorySegment stream, Consumer<Chunk> consumer) {
        try (IpcReader reader = new IpcReader(stream, memory())) {
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                consumer.accept(chunk);
            }
            return reader.schema();
        }
    }

    /** A stream of one record batch. */
    public static byte[] of(Schema schema, List<Column> columns, long rows) {
        return new Builder(schema).add(columns, rows).build();
    }

    /** A stream of any number of record batches. */
    public static final class Builder {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final IpcWriter writer;

        public Builder(Schema schema) {
            writer = new IpcWriter(schema);
            bytes.writeBytes(writer.schemaMessage());
        }

        public Builder add(List<Column> columns, long rows) {
            bytes.writeBytes(toBytes(writer.recordBatch(columns, rows)));
            return this;
        }

        public byte[] build() {
            bytes.writeBytes(writer.endOfStream());
            return bytes.toByteArray();
        }
    }

    /** All bytes of a message. */
    public static byte[] toBytes(IpcMessage message) {
        byte[] bytes = new byte[Math.toIntExact(message.bytes())];
        message.copyTo(0, MemorySegment.ofArray(bytes));
        return bytes;
    }
}
