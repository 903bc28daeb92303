package dev.headrace.ray;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.Field;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/** The batches that scenarios speak of, as Arrow IPC streams. */
final class TestBatches {

    static final int KEYS = 100;

    private static final DataType LONG = new DataType.Fixed(Long.BYTES, new Meaning.SignedInt());
    private static final DataType TEXT = new DataType.Binary(false, true);

    private TestBatches() {}

    /** Rows {@code first} to {@code first + rows - 1}. */
    static byte[] good(long first, int rows) {
        try (Arena memory = Arena.ofConfined()) {
            return stream(LONG, longs(memory, first, rows, KEYS), longs(memory, first, rows, Long.MAX_VALUE), rows);
        }
    }

    /** As {@link #good}, but the keys are texts of one letter. */
    static byte[] otherType(long first, int rows) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment offsets = memory.allocate(ValueLayout.JAVA_INT, rows + 1L);
            for (int i = 0; i <= rows; i++) {
                offsets.setAtIndex(ValueLayout.JAVA_INT, i, i);
            }
            MemorySegment letters =
                    memory.allocate(Math.max(8, rows), Long.BYTES).fill((byte) 'k');
            Column keys = new Column(TEXT, rows, null, List.of(offsets, letters.asSlice(0, rows)), List.of());
            return stream(TEXT, keys, longs(memory, first, rows, Long.MAX_VALUE), rows);
        }
    }

    static byte[] corrupt(int bytes) {
        byte[] batch = new byte[bytes];
        Arrays.fill(batch, (byte) 0x55);
        return batch;
    }

    private static Column longs(Arena memory, long first, int rows, long modulus) {
        MemorySegment values = memory.allocate(ValueLayout.JAVA_LONG, Math.max(1, rows));
        for (int i = 0; i < rows; i++) {
            values.setAtIndex(ValueLayout.JAVA_LONG, i, (first + i) % modulus);
        }
        return new Column(LONG, rows, null, List.of(values.asSlice(0, (long) rows * Long.BYTES)), List.of());
    }

    private static byte[] stream(DataType keyType, Column keys, Column values, int rows) {
        Schema schema = Schema.of(List.of(Field.of("k", true, keyType), Field.of("v", true, LONG)), List.of());
        IpcWriter writer = new IpcWriter(schema);
        byte[] head = writer.schemaMessage();
        IpcMessage body = writer.recordBatch(List.of(keys, values), rows);
        byte[] end = writer.endOfStream();
        byte[] stream = new byte[Math.toIntExact(head.length + body.bytes() + end.length)];
        System.arraycopy(head, 0, stream, 0, head.length);
        body.copyTo(0, MemorySegment.ofArray(stream).asSlice(head.length, body.bytes()));
        System.arraycopy(end, 0, stream, stream.length - end.length, end.length);
        return stream;
    }
}
