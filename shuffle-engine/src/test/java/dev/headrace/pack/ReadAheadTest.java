package dev.headrace.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.testing.TestColumns;
import dev.headrace.testing.TestTypes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What is read before it is gathered: the rows that are meant, of any type, and never past a buffer. */
final class ReadAheadTest {

    @Test
    void shouldReadOneByteOfEveryLineOfTheRows() {
        byte[] bytes = new byte[4 * 64];
        for (int line = 0; line < 4; line++) {
            bytes[64 * line] = (byte) (1 << line);
        }
        Column column = new Column(TestTypes.INT64, 32, null, List.of(MemorySegment.ofArray(bytes)), List.of());

        assertThat(seen(column, 0, 32)).isEqualTo(1 + 2 + 4 + 8);
        assertThat(seen(column, 8, 16)).isEqualTo(2 + 4);
        assertThat(seen(column, 8, 0)).isZero();
    }

    @Test
    void shouldReadWhatOffsetsPointTo() {
        Column texts = TestColumns.of(TestTypes.STRING, "a", "b", "c");
        Column lists = TestColumns.of(TestTypes.list(TestTypes.INT8), List.of((byte) 5), List.of((byte) 7));

        assertThat(seen(texts, 1, 1)).isEqualTo(1 + 'b'); // the offset of the row is 1
        assertThat(seen(lists, 1, 1)).isEqualTo(1 + 7);
    }

    @Test
    void shouldLeaveWhatIsWrongToWhoCopiesIt() {
        Column column = TestColumns.of(TestTypes.INT64, 1L, 2L);

        assertThat(seen(column, 1, 5)).isZero();
        assertThat(seen(column, -1, 1)).isZero();
    }

    @Property(tries = 200)
    void shouldReadAnyRowsOfAnyType(@ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            List<DataType> types = new RandomTypes(random).columns(4, random.nextInt(4));
            int rows = random.nextInt(60);
            List<Column> columns = new RandomColumns(random, arena).columns(types, rows);
            int from = random.nextInt(rows + 1);
            new ReadAhead().read(columns, from, rows - from);
        }
    }

    private static long seen(Column column, long from, long rows) {
        ReadAhead readAhead = new ReadAhead();
        readAhead.read(List.of(column), from, rows);
        return readAhead.seen();
    }
}
