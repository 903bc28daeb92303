package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class PieceCutterTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    @Test
    void shouldCutAfterTheMostRows() {
        Column column = TestColumns.nulls(200_000);
        assertThat(pieces(column)).containsExactly(65_536, 65_536, 65_536, 3_392);
        assertThat(new PieceCutter(List.of()).nextPiece(List.of(), 0, 10)).isEqualTo(10);
    }

    @Test
    void shouldCutRowsOfOneSizeByTheirBytes() {
        DataType type = new DataType.Fixed(1_023, new DataType.Meaning.Bytes());
        PieceCutter cutter = new PieceCutter(List.of(type));
        assertThat(cutter.nextPiece(List.of(), 0, 10_000)).isEqualTo(4_096);
        assertThat(cutter.rowBytes()[4_095]).isEqualTo(KIB);
        int[] order = IntStream.range(0, 4_096).toArray();
        assertThat(cutter.blockEnd(order, 0, 4_096)).isEqualTo(240);
        assertThat(cutter.blockEnd(order, 4_000, 4_096)).isEqualTo(4_096);
    }

    @Test
    void shouldGiveARowOverTheLimitAPieceAndABlockOfItsOwn() {
        Column column = TestColumns.strings(List.of("a", "k".repeat((int) (5 * MIB)), "b", "c"));
        assertThat(pieces(column)).containsExactly(1, 1, 2);
        PieceCutter cutter = new PieceCutter(List.of(column.type()));
        assertThat(cutter.nextPiece(List.of(column), 1, 3)).isEqualTo(1);
        assertThat(cutter.rowBytes()[0]).isEqualTo(5 * MIB + 5);
        assertThat(cutter.blockEnd(new int[] {1}, 0, 1)).isEqualTo(1);
    }

    @Test
    void shouldEndBlocksBeforeTheLimit() {
        Column column = TestColumns.strings(IntStream.range(0, 100)
                .mapToObj(i -> "x".repeat((int) (100 * KIB) * (i % 2)))
                .toList());
        PieceCutter cutter = new PieceCutter(List.of(column.type()));
        int rows = cutter.nextPiece(List.of(column), 10, 90);
        assertThat(rows).isEqualTo(81);
        int[] order = {11, 10, 13, 15, 12, 14, 16};
        assertThat(cutter.blockEnd(order, 0, 7)).isEqualTo(3);
        assertThat(cutter.blockEnd(order, 3, 7)).isEqualTo(7);
        assertThat(cutter.blockEnd(order, 0, 2)).isEqualTo(2);
    }

    @Property(tries = 200)
    void shouldFillEveryPieceAndBlockButNoFurther(
            @ForAll @NotEmpty @Size(max = 300) List<@IntRange(max = 200_000) Integer> sizes) {
        Column column = sized(sizes);
        PieceCutter cutter = new PieceCutter(List.of(column.type()));
        int from = 0;
        while (from < sizes.size()) {
            int rows = cutter.nextPiece(List.of(column), from, sizes.size() - from);
            assertThat(rows).isPositive();
            long bytes = sum(cutter, 0, rows);
            assertThat(rows == 1 || bytes <= PieceCutter.PIECE_BYTES).isTrue();
            assertBlocks(cutter, from, rows);
            from += rows;
            if (from < sizes.size()) {
                assertThat(bytes + sizes.get(from) + 5).isGreaterThan(PieceCutter.PIECE_BYTES);
            }
        }
        assertThat(from).isEqualTo(sizes.size());
    }

    private static void assertBlocks(PieceCutter cutter, int from, int rows) {
        int[] order = IntStream.range(0, rows).map(i -> from + rows - 1 - i).toArray();
        int at = 0;
        while (at < rows) {
            int end = cutter.blockEnd(order, at, rows);
            long bytes = sum(cutter, rows - end, rows - at);
            assertThat(end > at && (end == at + 1 || bytes <= PieceCutter.BLOCK_BYTES))
                    .isTrue();
            if (end < rows) {
                assertThat(bytes + cutter.rowBytes()[rows - 1 - end]).isGreaterThan(PieceCutter.BLOCK_BYTES);
            }
            at = end;
        }
    }

    /** Strings of any length over nothing: the cutter looks at no byte of the data. */
    private static Column sized(List<Integer> sizes) {
        ByteBuffer offsets = ByteBuffer.allocate(4 * (sizes.size() + 1)).order(ByteOrder.LITTLE_ENDIAN);
        int end = 0;
        offsets.putInt(end);
        for (int size : sizes) {
            end += size;
            offsets.putInt(end);
        }
        MemorySegment buffer = MemorySegment.ofBuffer(offsets.flip());
        return new Column(TestColumns.STRING, sizes.size(), null, List.of(buffer), List.of());
    }

    private static long sum(PieceCutter cutter, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += cutter.rowBytes()[i];
        }
        return sum;
    }

    private static List<Integer> pieces(Column column) {
        PieceCutter cutter = new PieceCutter(List.of(column.type()));
        List<Integer> pieces = new ArrayList<>();
        for (long from = 0; from < column.rows(); from += pieces.getLast()) {
            pieces.add(cutter.nextPiece(List.of(column), from, column.rows() - from));
        }
        return pieces;
    }
}
