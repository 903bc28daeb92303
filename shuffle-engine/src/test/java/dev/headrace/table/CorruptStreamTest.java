package dev.headrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import dev.headrace.testing.Streams;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged streams are read, or refused with our own error: nothing else, and not without end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CorruptStreamTest {
    private static final int ROUNDS = Integer.getInteger("headrace.corruptions", 300);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "primitives",
                "texts",
                "texts-old",
                "nested",
                "encoded",
                "primitives-lz4",
                "encoded-lz4",
                "nested-zstd",
                "nested-file",
                "growing-file",
                "growing-string",
                "growing-view",
                "growing-list_view",
                "growing-pair-zstd",
                "growing-struct",
                "replaced-bool",
                "metadata",
                "no_columns"
            })
    void shouldSurviveFlippedBytes(String name) {
        byte[] stream = Streams.resource("/arrow/" + name + ".arrow");
        long seed = Long.getLong("headrace.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = stream.clone();
            int bytes = 1 + random.nextInt(3);
            for (int i = 0; i < bytes; i++) {
                damaged[random.nextInt(damaged.length)] = damage(random);
            }
            read(damaged, name + ", seed " + seed + ", round " + round);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nested", "encoded", "encoded-lz4", "growing-list-zstd", "nested-file"})
    void shouldSurviveFlippedMetadata(String name) {
        byte[] stream = Streams.resource("/arrow/" + name + ".arrow");
        int[] places = metadata(stream);
        long seed = Long.getLong("headrace.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = stream.clone();
            for (int i = 0; i <= round % 3; i++) {
                damaged[places[random.nextInt(places.length)]] = damage(random);
            }
            read(damaged, name + ", seed " + seed + ", round " + round);
        }
    }

    /** The positions of all bytes that belong to the metadata of a message. */
    private static int[] metadata(byte[] stream) {
        BitSet places = new BitSet();
        MemorySegment bytes = MemorySegment.ofArray(stream);
        for (int at = 0; at + 8 < stream.length; at += 8) {
            int length = bytes.get(Words.INT, at + 4);
            if (bytes.get(Words.INT, at) == -1 && length > 0 && length < stream.length - at) {
                places.set(at, at + 8 + length);
            }
        }
        return places.stream().toArray();
    }

    private static byte damage(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> 0x7f;
            default -> (byte) random.nextInt();
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"texts", "encoded-zstd", "nested-file", "growing-view"})
    void shouldSurviveTruncation(String name) {
        byte[] stream = Streams.resource("/arrow/" + name + ".arrow");
        for (int length = 0; length < stream.length; length += length < 64 ? 1 : 7) {
            read(Arrays.copyOf(stream, length), name + " cut to " + length + " bytes");
        }
    }

    @Test
    void shouldReportTruncatedBody() {
        byte[] stream = Streams.resource("/arrow/texts.arrow");
        assertThatThrownBy(() -> readAll(Arrays.copyOf(stream, stream.length - 100)))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("cut off");
    }

    private static void read(byte[] stream, String what) {
        try {
            readAll(stream);
        } catch (HeadraceException expected) {
            assertThat(expected.getMessage()).as(what).isNotEmpty();
        } catch (Throwable other) {
            throw new AssertionError(what, other);
        }
    }

    private static void readAll(byte[] stream) {
        try (IpcReader reader = new IpcReader(Streams.inMemory(stream), Streams.memory())) {
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                assertThat(Rendering.of(reader.schema(), chunk)).isNotEmpty();
            }
        }
    }
}
