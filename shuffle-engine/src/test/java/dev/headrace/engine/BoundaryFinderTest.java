package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import dev.headrace.partition.SortKey;
import dev.headrace.table.DataType;
import dev.headrace.table.Field;
import dev.headrace.table.Schema;
import dev.headrace.testing.Streams;
import dev.headrace.testing.TestColumns;
import dev.headrace.testing.TestTypes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Samples repeat, and boundaries cut what they stand for evenly. */
final class BoundaryFinderTest {
    private static final List<SortKey> BY_K = List.of(SortKey.ascending("k"));

    private static byte[] stream(DataType type, Object... keys) {
        Schema schema = Schema.of(List.of(Field.of("x", true, type), Field.of("k", true, type)), List.of());
        return Streams.of(schema, List.of(TestColumns.of(type, keys), TestColumns.of(type, keys)), keys.length);
    }

    private static Sample draw(long batch, byte[] stream, int most) {
        return new Sampler(List.of("k"), batch, Streams.inMemory(stream), Streams.memory()).draw(most);
    }

    private static List<Long> keys(byte[] stream) {
        List<Long> keys = new ArrayList<>();
        Streams.forEachChunk(Streams.inMemory(stream), chunk -> {
            MemorySegment values = chunk.columns().getFirst().buffers().getFirst();
            for (int i = 0; i < chunk.rows(); i++) {
                keys.add(values.get(ValueLayout.JAVA_LONG_UNALIGNED, 8L * i));
            }
        });
        return keys;
    }

    private static Object[] longs(long from, long to) {
        Object[] values = new Object[(int) (to - from)];
        Arrays.setAll(values, i -> from + i);
        return values;
    }

    @Test
    void shouldDrawTheSameRowsAgainAndOthersFromAnotherBatch() {
        byte[] stream = stream(TestTypes.INT64, longs(0, 5_000));
        Sample first = draw(3, stream, 100);
        assertThat(first.rows()).isEqualTo(5_000);
        assertThat(keys(first.stream())).hasSize(100).doesNotHaveDuplicates().isSorted();
        assertThat(draw(3, stream, 100).stream()).isEqualTo(first.stream());
        assertThat(keys(draw(4, stream, 100).stream())).isNotEqualTo(keys(first.stream()));
        assertThat(keys(draw(4, stream, 5_001).stream())).hasSize(5_000);
    }

    @Test
    void shouldDrawEveryRowAsOften() {
        byte[] stream = stream(TestTypes.INT64, longs(0, 20));
        int[] drawn = new int[20];
        for (int batch = 0; batch < 4_000; batch++) {
            keys(draw(batch, stream, 5).stream()).forEach(key -> drawn[key.intValue()]++);
        }
        assertThat(drawn)
                .satisfies(counts -> Arrays.stream(counts)
                        .forEach(count -> assertThat(Math.abs(count - 1_000)).isLessThan(200)));
    }

    @Test
    void shouldDrawFewerRowsWhenKeysAreLong() {
        Object[] texts = new Object[40];
        Arrays.setAll(texts, i -> i + "x".repeat(200_000));
        Sample sample = draw(0, stream(TestTypes.STRING, texts), 40);
        assertThat(sample.rows()).isEqualTo(40);
        assertThat(sample.stream().length).isLessThan(1 << 20);
    }

    @Test
    void shouldWeighSamplesByTheRowsTheyStandFor() {
        List<Sample> samples = new ArrayList<>();
        // 90,000 rows below 1,000 and 10,000 above: an equal cut in four lies within the first three times.
        samples.add(new Sample(0, 90_000, draw(0, stream(TestTypes.INT64, longs(0, 900)), 900).stream()));
        samples.add(new Sample(1, 10_000, draw(1, stream(TestTypes.INT64, longs(1_000, 1_900)), 900).stream()));
        List<Long> boundaries = keys(BoundaryFinder.find(BY_K, 4, samples));
        assertThat(boundaries).hasSize(3).isSorted();
        assertThat(boundaries.get(0)).isBetween(248L, 252L);
        assertThat(boundaries.get(1)).isBetween(498L, 502L);
        assertThat(boundaries.get(2)).isBetween(748L, 752L);
    }

    @Test
    void shouldFindTheSameWhateverTheOrderOfTheSamples() {
        Random random = new Random(4);
        List<Sample> samples = new ArrayList<>();
        for (int batch = 0; batch < 6; batch++) {
            Object[] values = random.longs(300).boxed().toArray();
            samples.add(draw(batch, stream(TestTypes.INT64, values), 50));
        }
        byte[] found = BoundaryFinder.find(BY_K, 9, samples);
        Collections.shuffle(samples, random);
        assertThat(BoundaryFinder.find(BY_K, 9, samples)).isEqualTo(found);
    }

    @Test
    void shouldBringKeysToTheWidestType() {
        List<Sample> samples =
                List.of(draw(0, stream(TestTypes.INT64, 5L, 6L), 2), draw(1, stream(TestTypes.INT8, 1L, 2L), 2));
        assertThat(keys(BoundaryFinder.find(BY_K, 4, samples))).containsExactly(2L, 5L, 6L);
    }

    @Test
    void shouldNameTheBatchesWhoseKeysDiffer() {
        List<Sample> samples =
                List.of(draw(7, stream(TestTypes.INT64, 5L), 2), draw(8, stream(TestTypes.STRING, "a"), 2));
        assertThatThrownBy(() -> BoundaryFinder.find(BY_K, 4, samples))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("batch 7")
                .hasMessageContaining("batch 8");
    }

    @Test
    void shouldFitMoreValuesThanADictionaryOfBytesHasRoomFor() {
        DataType type = TestTypes.dictionary(TestTypes.INT8, TestTypes.STRING);
        List<Sample> samples = new ArrayList<>();
        for (int batch = 0; batch < 4; batch++) {
            Object[] texts = new Object[100];
            int base = 1_000 + 100 * batch;
            Arrays.setAll(texts, i -> "k" + (base + i));
            samples.add(draw(batch, stream(type, texts), 100));
        }
        byte[] found = BoundaryFinder.find(BY_K, 301, samples);
        long[] rows = {0};
        Streams.forEachChunk(Streams.inMemory(found), chunk -> rows[0] += chunk.rows());
        assertThat(rows[0]).isEqualTo(300);
        new Routing(LocalRanks.spec(new Rule.Range(BY_K, found), 301));
    }

    @Test
    void shouldFindNoBoundariesWhereThereAreNoRows() {
        assertThat(keys(BoundaryFinder.find(BY_K, 4, List.of(draw(0, stream(TestTypes.INT64), 5)))))
                .isEmpty();
    }
}
