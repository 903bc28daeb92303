package dev.headrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import dev.headrace.table.DataType.Fixed;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.testing.Streams;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parts as writers other than pyarrow may leave them: with bytes, items and runs that no row uses. */
final class ConcatenationTest {
    private static final Fixed INT32 = new Fixed(4, new Meaning.SignedInt());
    private static final DataType STRING = new DataType.Binary(false, true);
    private static final DataType LIST = new DataType.Varied(false, false, false, STRING);

    @Test
    void shouldLeaveOutBytesThatNoStringUses() {
        Column first = strings("..one", 2, 2, 3, 5);
        Column gapBehind = strings("ab????", 0, 1, 2);
        Column gapBefore = strings("???cd", 3, 4, 5);

        assertThat(joined(first, gapBehind, gapBefore))
                .isEqualTo("7 rows\nc:" + texts("", "o", "ne", "a", "b", "c", "d"));
    }

    @Test
    void shouldLeaveOutItemsThatNoListUses() {
        Column items = strings("abcdefg", 0, 1, 2, 3, 4, 5, 6, 7);
        Column first = new Column(LIST, 2, null, List.of(ints(1, 2, 4)), List.of(items));
        Column second = new Column(LIST, 1, null, List.of(ints(3, 5)), List.of(items));

        assertThat(joined(first, second)).isEqualTo("3 rows\nc: [x62] [x63 x64] [x64 x65]\n");
    }

    @Test
    void shouldCutItemsThatAreStructsListsAndRuns() {
        DataType.RunEnd runType = new DataType.RunEnd(4, STRING);
        Column runs =
                new Column(runType, 6, null, List.of(), List.of(fixed(ints(2, 5, 9)), strings("abc", 0, 1, 2, 3)));
        Column pairs = new Column(
                new DataType.FixedList(2, INT32),
                6,
                null,
                List.of(),
                List.of(fixed(ints(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))));
        DataType struct = new DataType.Struct(List.of(runType, pairs.type()));
        Column structs = new Column(struct, 6, memory(0b011011), List.of(), List.of(runs, pairs));
        DataType lists = new DataType.Varied(false, false, false, struct);
        Column first = new Column(lists, 1, null, List.of(ints(1, 3)), List.of(structs));
        Column second = new Column(lists, 1, null, List.of(ints(4, 6)), List.of(structs));

        assertThat(joined(first, second))
                .isEqualTo("2 rows\nc: [{x61 [x02000000 x03000000]} null] [{x62 [x08000000 x09000000]} null]\n");
    }

    @Test
    void shouldRefuseRunsThatTheirEndsCannotReach() {
        DataType.RunEnd type = new DataType.RunEnd(2, STRING);
        Column ends =
                new Column(new Fixed(2, new Meaning.SignedInt()), 1, null, List.of(memory(0xff, 0x7f)), List.of());
        Column part = new Column(type, 30_000, null, List.of(), List.of(ends, strings("a", 0, 1)));

        assertThatThrownBy(() -> joined(part, part))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("60000")
                .hasMessageContaining("32767");
    }

    private static String joined(Column... parts) {
        Column column = new Concatenation(Scratch.of(Streams.memory(), 4096)).of(List.of(parts));
        ColumnCheck.check(column, "c");
        Schema schema = Schema.of(List.of(Field.of("c", true, column.type())), List.of());
        return Rendering.of(schema, new Chunk(column.rows(), List.of(column)));
    }

    private static String texts(String... values) {
        StringBuilder line = new StringBuilder();
        for (String value : values) {
            line.append(" x");
            value.chars().forEach(letter -> line.append(Integer.toHexString(letter)));
        }
        return line.append('\n').toString();
    }

    private static Column strings(String data, int... offsets) {
        MemorySegment bytes = Streams.inMemory(data.getBytes(StandardCharsets.UTF_8));
        return new Column(STRING, offsets.length - 1, null, List.of(ints(offsets), bytes), List.of());
    }

    private static Column fixed(MemorySegment ints) {
        return new Column(INT32, ints.byteSize() / 4, null, List.of(ints), List.of());
    }

    private static MemorySegment ints(int... values) {
        MemorySegment segment = Streams.inMemory(new byte[4 * values.length]);
        for (int i = 0; i < values.length; i++) {
            segment.set(Words.INT, 4L * i, values[i]);
        }
        return segment;
    }

    private static MemorySegment memory(int... bytes) {
        byte[] copy = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            copy[i] = (byte) bytes[i];
        }
        return Streams.inMemory(copy);
    }
}
