package dev.headrace.engine;

import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.table.Chunk;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.Field;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcReader;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Small tables of the columns k (int64, the key), id (int64, unique) and s (a string, sometimes null), and back. */
final class Tables {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final DataType LONGS = new DataType.Fixed(8, new DataType.Meaning.SignedInt());

    static final Schema SCHEMA = Schema.of(
            List.of(
                    Field.of("k", true, LONGS),
                    Field.of("id", true, LONGS),
                    Field.of("s", true, new DataType.Binary(false, true))),
            List.of());

    private Tables() {}

    /** One row. */
    record Row(long key, long id, String text) {}

    /** Rows with ids from {@code firstId} on, {@code keys} different keys and strings of up to that many bytes. */
    static List<Row> rows(Random random, int count, long firstId, int keys, int textBytes) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = random.nextInt(8) == 0 ? "" : "x".repeat(random.nextInt(textBytes + 1));
            rows.add(new Row(random.nextInt(keys), firstId + i, text));
        }
        return rows;
    }

    /** The rows as an Arrow IPC stream of one record batch. */
    static byte[] stream(List<Row> rows) {
        try (Arena arena = Arena.ofConfined()) {
            int count = rows.size();
            MemorySegment keys = arena.allocate(8L * count + 8);
            MemorySegment ids = arena.allocate(8L * count + 8);
            MemorySegment offsets = arena.allocate(4L * count + 4);
            ByteArrayOutputStream texts = new ByteArrayOutputStream();
            for (int i = 0; i < count; i++) {
                keys.set(LONG, 8L * i, rows.get(i).key());
                ids.set(LONG, 8L * i, rows.get(i).id());
                texts.writeBytes(rows.get(i).text().getBytes(StandardCharsets.UTF_8));
                offsets.set(INT, 4L * (i + 1), texts.size());
            }
            MemorySegment text = arena.allocate(texts.size() + 8L);
            MemorySegment.copy(texts.toByteArray(), 0, text, ValueLayout.JAVA_BYTE, 0, texts.size());
            List<Column> columns = List.of(
                    new Column(LONGS, count, null, List.of(keys.asSlice(0, 8L * count)), List.of()),
                    new Column(LONGS, count, null, List.of(ids.asSlice(0, 8L * count)), List.of()),
                    new Column(
                            new DataType.Binary(false, true),
                            count,
                            null,
                            List.of(offsets, text.asSlice(0, texts.size())),
                            List.of()));
            return stream(arena, columns, count);
        }
    }

    private static byte[] stream(Arena arena, List<Column> columns, int count) {
        BlockBuilder builder = new BlockBuilder(Layout.of(SCHEMA.types()));
        builder.addRange(columns, 0, count);
        builder.addEntry(0, 0, 0, 0, count);
        MemorySegment memory = arena.allocate(builder.bytes(), 64);
        builder.write(memory);
        IpcWriter writer = new IpcWriter(SCHEMA);
        IpcMessage message =
                writer.recordBatch(Block.read(builder.layout(), memory).columns(), count);
        byte[] body = new byte[Math.toIntExact(message.bytes())];
        message.copyTo(0, MemorySegment.ofArray(body));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(writer.schemaMessage());
        stream.writeBytes(body);
        stream.writeBytes(writer.endOfStream());
        return stream.toByteArray();
    }

    /** The rows of an Arrow IPC stream, in order. */
    static List<Row> rows(byte[] stream) {
        List<Row> rows = new ArrayList<>();
        try (Arena arena = Arena.ofConfined();
                IpcReader reader = new IpcReader(copy(arena, stream), arena::allocate)) {
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                MemorySegment offsets = chunk.columns().get(2).buffers().get(0);
                MemorySegment text = chunk.columns().get(2).buffers().get(1);
                for (int i = 0; i < chunk.rows(); i++) {
                    int from = offsets.get(INT, 4L * i);
                    int to = offsets.get(INT, 4L * (i + 1));
                    byte[] bytes = text.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
                    rows.add(new Row(
                            chunk.columns().get(0).buffers().getFirst().get(LONG, 8L * i),
                            chunk.columns().get(1).buffers().getFirst().get(LONG, 8L * i),
                            new String(bytes, StandardCharsets.UTF_8)));
                }
            }
        }
        return rows;
    }

    static MemorySegment copy(Arena arena, byte[] bytes) {
        MemorySegment memory = arena.allocate(Math.max(8, bytes.length), 64);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return memory.asSlice(0, bytes.length);
    }
}
