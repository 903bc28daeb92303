package dev.headrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.table.DataType.Fixed;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.testing.Streams;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was read, written and read again is the same; the bytes keep to the format. */
final class IpcWriterTest {
    private static final Fixed INT32 = new Fixed(4, new Meaning.SignedInt());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "primitives",
                "texts-lz4",
                "texts-old",
                "nested-file",
                "encoded",
                "growing-string",
                "growing-struct",
                "growing-view",
                "replaced-list",
                "metadata",
                "no_columns"
            })
    void shouldWriteWhatItReads(String name) {
        MemorySegment original = Streams.inMemory(Streams.resource("/arrow/" + name + ".arrow"));
        byte[] copy = copied(original);
        assertThat(rendered(Streams.inMemory(copy))).isEqualTo(rendered(original));
        assertThat(Schema.parse(copy)).isEqualTo(Schema.parse(original));
        assertThat(copy.length % 8).isZero();
    }

    @Test
    void shouldStartAtAnyFirstOffset() {
        MemorySegment offsets = ints(2, 5, 5, 9);
        MemorySegment data = Streams.inMemory("..abcdefg.....".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Column texts = new Column(new DataType.Binary(false, true), 3, null, List.of(offsets, data), List.of());
        Schema schema = Schema.of(List.of(Field.of("s", true, texts.type())), List.of());
        byte[] stream = Streams.of(schema, List.of(texts), 3);
        assertThat(rendered(Streams.inMemory(stream))).isEqualTo("3 rows\ns: x616263 x x64656667\n");
    }

    @Test
    void shouldWriteOneOffsetForNoRows() {
        List<DataType> types = List.of(
                new DataType.Binary(true, false),
                new DataType.Varied(false, false, false, INT32),
                new DataType.View(true),
                new DataType.Dictionary(
                        new Fixed(1, new Meaning.UnsignedInt()), false, new DataType.Binary(false, true)),
                new DataType.RunEnd(4, INT32));
        List<Column> columns = types.stream().map(Columns::empty).toList();
        List<Field> fields = List.of(
                Field.of("binary", true, types.get(0)),
                Field.of("list", true, types.get(1), Field.of("item", true, INT32)),
                Field.of("view", true, types.get(2)),
                Field.of("dictionary", true, types.get(3)),
                Field.of(
                        "runs",
                        true,
                        types.get(4),
                        Field.of("run_ends", false, INT32),
                        Field.of("values", true, INT32)));
        byte[] stream = Streams.of(Schema.of(fields, List.of()), columns, 0);
        assertThat(rendered(Streams.inMemory(stream))).isEqualTo("0 rows\nbinary:\nlist:\nview:\ndictionary:\nruns:\n");
    }

    @Test
    void shouldLeaveOutBitmapThatHasNoNulls() {
        Column full = new Column(INT32, 3, bitmap(0b1111_1111), List.of(ints(1, 2, 3)), List.of());
        Column holed = new Column(INT32, 3, bitmap(0b1111_1101), List.of(ints(1, 2, 3)), List.of());
        Schema schema = Schema.of(List.of(Field.of("full", true, INT32), Field.of("holed", true, INT32)), List.of());
        Streams.forEachChunk(Streams.inMemory(Streams.of(schema, List.of(full, holed), 3)), chunk -> {
            assertThat(chunk.columns().get(0).validity()).isNull();
            assertThat(chunk.columns().get(1).validity()).isNotNull();
        });
    }

    @Test
    void shouldGiveSharedDictionariesIdsOfTheirOwn() {
        DataType type = new DataType.Dictionary(INT32, false, new DataType.Binary(false, true));
        List<Field> fields = List.of(Field.of("a", true, type), Field.of("b", true, type));
        Schema shared = new Schema(fields, List.of(), null);
        Schema written = Schema.parse(new IpcWriter(shared).schemaMessage());
        assertThat(written).isEqualTo(shared);
        assertThat(written.fields().get(0).dictionaryId())
                .isNotEqualTo(written.fields().get(1).dictionaryId());
    }

    @Test
    void shouldCopyAnyRangeOfMessage() {
        MemorySegment original = Streams.inMemory(Streams.resource("/arrow/encoded.arrow"));
        try (IpcReader reader = new IpcReader(original, Streams.memory())) {
            Chunk chunk = Objects.requireNonNull(reader.next());
            IpcMessage message = new IpcWriter(reader.schema()).recordBatch(chunk.columns(), chunk.rows());
            byte[] whole = Streams.toBytes(message);
            Random random = new Random(7);
            for (int i = 0; i < 500; i++) {
                int from = random.nextInt(whole.length + 1);
                int length = random.nextInt(whole.length + 1 - from);
                byte[] part = new byte[length];
                message.copyTo(from, MemorySegment.ofArray(part));
                assertThat(part).isEqualTo(Arrays.copyOfRange(whole, from, from + length));
            }
            assertThatThrownBy(() -> message.copyTo(whole.length - 3, MemorySegment.ofArray(new byte[4])))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void shouldRefuseColumnsOfAnotherSchema() {
        Schema schema = Schema.of(List.of(Field.of("a", true, INT32)), List.of());
        IpcWriter writer = new IpcWriter(schema);
        List<Column> wrong = new ArrayList<>(List.of(Columns.empty(new DataType.Bool())));
        assertThatThrownBy(() -> writer.recordBatch(wrong, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column a");
        assertThatThrownBy(() -> writer.recordBatch(List.of(), 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] copied(MemorySegment stream) {
        try (IpcReader reader = new IpcReader(stream, Streams.memory())) {
            Streams.Builder copy = new Streams.Builder(reader.schema());
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                copy.add(chunk.columns(), chunk.rows());
            }
            return copy.build();
        }
    }

    private static String rendered(MemorySegment stream) {
        StringBuilder text = new StringBuilder();
        Schema schema = Schema.parse(stream);
        Streams.forEachChunk(stream, chunk -> text.append(Rendering.of(schema, chunk)));
        return text.toString();
    }

    private static MemorySegment ints(int... values) {
        MemorySegment segment = Arena.ofAuto().allocate(4L * values.length, 8);
        for (int i = 0; i < values.length; i++) {
            segment.set(Words.INT, 4L * i, values[i]);
        }
        return segment;
    }

    private static MemorySegment bitmap(int bits) {
        MemorySegment segment = Arena.ofAuto().allocate(8, 8);
        segment.set(Words.LONG, 0, bits);
        return segment;
    }
}
