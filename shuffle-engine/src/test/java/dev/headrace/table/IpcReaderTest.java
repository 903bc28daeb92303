package dev.headrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.testing.Streams;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads what pyarrow wrote and compares it with what pyarrow says is in it. */
final class IpcReaderTest {

    @ParameterizedTest
    @ValueSource(strings = {"primitives", "texts", "nested", "encoded", "metadata", "no_columns"})
    void shouldReadEveryType(String name) {
        assertThat(rendered(stream(name))).isEqualTo(text(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"primitives", "texts", "nested", "encoded"})
    void shouldReadCompressedBuffers(String name) {
        assertThat(rendered(stream(name + "-lz4"))).isEqualTo(text(name));
        assertThat(rendered(stream(name + "-zstd"))).isEqualTo(text(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"primitives", "texts", "nested"})
    void shouldReadFiles(String name) {
        assertThat(rendered(stream(name + "-file"))).isEqualTo(text(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "view", "bool", "list", "list_view", "pair", "struct"})
    void shouldFollowDictionariesThatGrowOrAreReplaced(String name) {
        assertThat(rendered(stream("growing-" + name))).isEqualTo(text("growing-" + name));
        assertThat(rendered(stream("growing-" + name + "-zstd"))).isEqualTo(text("growing-" + name));
        assertThat(rendered(stream("replaced-" + name))).isEqualTo(text("replaced-" + name));
    }

    @Test
    void shouldReadFilesWithDeltaDictionaries() {
        assertThat(rendered(stream("growing-file"))).isEqualTo(text("growing"));
    }

    @Test
    void shouldReadMessagesOfOldFormat() {
        String expected = text("texts").replaceAll("(view|binary_view):.*\n", "");
        assertThat(rendered(stream("texts-old"))).isEqualTo(expected);
    }

    @Test
    void shouldDecodeBlocksThatRepeatBlocksBeforeThem() {
        List<Chunk> chunks = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        Streams.forEachChunk(Streams.inMemory(stream("blocks-lz4")), chunk -> {
            chunks.add(chunk);
            Column column = chunk.columns().getFirst();
            String data = new String(
                    column.buffers().get(1).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
            MemorySegment offsets = column.buffers().getFirst();
            for (long row = 0; row < chunk.rows(); row++) {
                texts.add(data.substring(
                        (int) Words.offset(offsets, false, row), (int) Words.offset(offsets, false, row + 1)));
            }
        });
        assertThat(chunks).hasSize(1);
        assertThat(texts).hasSize(6_000);
        for (int i = 0; i < texts.size(); i++) {
            assertThat(texts.get(i)).isEqualTo("row " + i % 7 + " of many");
        }
    }

    @Test
    void shouldReadAtAnyAddressAndFromTheHeap() {
        byte[] bytes = stream("nested");
        assertThat(render(MemorySegment.ofArray(bytes))).isEqualTo(text("nested"));
        MemorySegment odd = Arena.ofAuto().allocate(bytes.length + 3, 8).asSlice(3);
        assertThat(render(odd.copyFrom(MemorySegment.ofArray(bytes)))).isEqualTo(text("nested"));
    }

    @Test
    void shouldShowAlignedBuffersInPlace() {
        MemorySegment bytes = Streams.inMemory(stream("nested"));
        BufferSource none = wanted -> {
            throw new AssertionError(wanted + " bytes asked for");
        };
        try (IpcReader reader = new IpcReader(bytes, none)) {
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                assertThat(chunk.rows()).isNotNegative();
            }
        }
    }

    @Test
    void shouldAskForMemoryOncePerChunk() {
        List<Long> asked = new ArrayList<>();
        BufferSource source = wanted -> {
            asked.add(wanted);
            return Arena.ofAuto().allocate(wanted, 8);
        };
        try (IpcReader reader = new IpcReader(Streams.inMemory(stream("growing-string-zstd")), source)) {
            assertThat(reader.next()).isNotNull();
            assertThat(reader.next()).isNotNull();
            assertThat(reader.next()).isNotNull();
            assertThat(reader.next()).isNull();
        }
        assertThat(asked).hasSize(3).allMatch(wanted -> wanted > 0 && wanted < 4_000);
    }

    @Test
    void shouldAcceptStreamWithoutEndMark() {
        byte[] bytes = stream("nested");
        assertThat(rendered(Arrays.copyOf(bytes, bytes.length - 8))).isEqualTo(text("nested"));
    }

    @Test
    void shouldRefuseWhatIsNoArrow() {
        for (String bytes : List.of("", "id,k\n1,2\n", "PAR1 and so on")) {
            byte[] stream = bytes.getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> rendered(stream))
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.CORRUPT_DATA));
        }
    }

    private static byte[] stream(String name) {
        return Streams.resource("/arrow/" + name + ".arrow");
    }

    private static String text(String name) {
        return new String(Streams.resource("/arrow/" + name + ".txt"), StandardCharsets.UTF_8);
    }

    private static String rendered(byte[] stream) {
        return render(Streams.inMemory(stream));
    }

    private static String render(MemorySegment stream) {
        StringBuilder text = new StringBuilder();
        try (IpcReader reader = new IpcReader(stream, Streams.memory())) {
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                text.append(Rendering.of(reader.schema(), chunk));
            }
        }
        return text.toString();
    }
}
