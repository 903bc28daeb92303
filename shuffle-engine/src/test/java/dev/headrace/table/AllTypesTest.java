package dev.headrace.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.testing.ColumnText;
import dev.headrace.testing.Streams;
import dev.headrace.testing.TestColumns;
import dev.headrace.testing.TestTypes;
import dev.headrace.testing.TestValues;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random columns of every type: out through the writer and back, in parts and together. */
final class AllTypesTest {
    private static final long SEED = Long.getLong("headrace.seed", System.nanoTime());

    static Stream<DataType> types() {
        return TestTypes.all().stream();
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldReadWhatItWrites(DataType type) {
        Random random = new Random(SEED);
        List<Column> columns = new ArrayList<>();
        for (int rows : new int[] {23, 0, 1, 64}) {
            columns.add(TestValues.column(type, rows, random));
        }
        Schema schema = Schema.of(List.of(Fields.of("c", type)), List.of());
        Streams.Builder builder = new Streams.Builder(schema);
        columns.forEach(column -> builder.add(List.of(column), column.rows()));

        List<List<String>> read = new ArrayList<>();
        Schema back = Streams.forEachChunk(
                Streams.inMemory(builder.build()),
                chunk -> read.add(ColumnText.of(chunk.columns().get(0))));

        assertThat(back).isEqualTo(schema);
        assertThat(read)
                .as("type %s, seed %d", type, SEED)
                .isEqualTo(columns.stream().map(ColumnText::of).toList());
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldPutPartsTogether(DataType type) {
        Random random = new Random(SEED);
        // All parts are cut from one column, so that dictionaries inside are one and the same.
        Column whole = TestValues.column(type, 40, random);
        List<Column> parts = List.of(
                Columns.first(whole, 0), whole, Columns.first(whole, 7), Columns.first(whole, 1), longer(whole));
        Scratch scratch = Scratch.of(Streams.memory(), 1 << 20);

        Column together = new Concatenation(scratch).of(parts);

        ColumnCheck.check(together, "together");
        assertThat(ColumnText.of(together))
                .as("type %s, seed %d", type, SEED)
                .isEqualTo(parts.stream()
                        .flatMap(part -> ColumnText.of(part).stream())
                        .toList());
    }

    /** The same column with bytes behind its last value, where the type allows it. */
    private static Column longer(Column column) {
        List<MemorySegment> buffers = column.buffers().stream()
                .map(buffer -> {
                    MemorySegment longer = TestColumns.memory(new byte[(int) buffer.byteSize() + 24]);
                    return longer.copyFrom(buffer).asSlice(0, buffer.byteSize() + 24);
                })
                .toList();
        return new Column(column.type(), column.rows(), column.validity(), buffers, column.children());
    }
}
