package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What does not fit, what is widened, and what a lying source can do. */
final class BlockLimitsTest {
    private static final DataType TEXT = new DataType.Binary(false, true);

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void shouldWidenIntegersBySign() {
        short[] values = {-1, 7, Short.MIN_VALUE, Short.MAX_VALUE};
        for (boolean signed : new boolean[] {true, false}) {
            Meaning meaning = signed ? new Meaning.SignedInt() : new Meaning.UnsignedInt();
            Column source = new Column(
                    new DataType.Fixed(2, meaning),
                    4,
                    null,
                    List.of(arena.allocateFrom(ValueLayout.JAVA_SHORT, values)),
                    List.of());
            BlockBuilder builder = new BlockBuilder(Layout.of(List.of(new DataType.Fixed(8, meaning))));
            builder.addRows(List.of(source), new int[] {2, 1, 0}, 0, 3);
            builder.addRange(List.of(source), 1, 3);
            Column read = write(builder).columns().getFirst();
            long low = signed ? Short.MIN_VALUE : 0x8000L;
            assertThat(read.buffers().getFirst().toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(low, 7, signed ? -1 : 0xFFFFL, 7, low, Short.MAX_VALUE);
        }
    }

    @Test
    void shouldRefuseColumnsOfOtherTypes() {
        Column longs = new RandomColumns(new Random(1), arena).longs(1, 2);
        for (DataType type : List.of(
                new DataType.Fixed(4, new Meaning.SignedInt()),
                new DataType.Fixed(8, new Meaning.UnsignedInt()),
                new DataType.Fixed(8, new Meaning.Floating()),
                TEXT)) {
            BlockBuilder builder = new BlockBuilder(Layout.of(List.of(type)));
            assertThatThrownBy(() -> builder.addRange(List.of(longs), 0, 1))
                    .isInstanceOf(HeadraceException.class)
                    .hasMessageContaining("SignedInt");
        }
        BlockBuilder two = new BlockBuilder(Layout.of(List.of(TEXT, TEXT)));
        assertThatThrownBy(() -> two.addRange(List.of(longs), 0, 1)).hasMessageContaining("2");
    }

    @Test
    void shouldShareEqualDictionaryValuesAndSayWhenTheIndexIsFull() {
        Column first = dictionary(100, "a");
        Column second = dictionary(100, "b");
        BlockBuilder builder = new BlockBuilder(Layout.of(List.of(first.type())));
        builder.addRange(List.of(first), 0, 100);
        assertThat(builder.fitsRange(List.of(dictionary(100, "a")), 0, 100)).isTrue();
        builder.addRange(List.of(dictionary(100, "a")), 0, 100);
        assertThat(builder.fitsRange(List.of(second), 0, 28)).isTrue();
        assertThat(builder.fitsRange(List.of(second), 0, 29)).isFalse();
        builder.addRange(List.of(second), 0, 28);
        Column read = write(builder).columns().getFirst();
        assertThat(read.children().getFirst().rows()).isEqualTo(128);
        assertThat(Values.value(read, 227)).isEqualTo(Values.value(second, 27));
        assertThatThrownBy(() -> builder.addRange(List.of(second), 28, 1))
                .isInstanceOfSatisfying(
                        HeadraceException.class,
                        full -> assertThat(full.category()).isEqualTo(Category.OUT_OF_MEMORY))
                .hasMessageContaining("128")
                .hasMessageContaining("127");
    }

    @Test
    void shouldSayWhenRunEndsAreFull() {
        DataType.RunEnd type = new DataType.RunEnd(2, new DataType.Null());
        MemorySegment ends = arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) 20_000);
        Column source = new Column(
                type,
                20_000,
                null,
                List.of(),
                List.of(
                        new Column(Nodes.runEnds(type), 1, null, List.of(ends), List.of()),
                        new Column(new DataType.Null(), 1, null, List.of(), List.of())));
        BlockBuilder builder = new BlockBuilder(Layout.of(List.of(type)));
        builder.addRange(List.of(source), 0, 20_000);
        assertThat(builder.fitsRange(List.of(source), 0, 12_767)).isTrue();
        assertThat(builder.fitsRange(List.of(source), 0, 12_768)).isFalse();
        builder.addRange(List.of(source), 0, 12_767);
        Column read = write(builder).columns().getFirst();
        assertThat(read.children().getFirst().buffers().getFirst().get(SHORT, 0))
                .isEqualTo(Short.MAX_VALUE);
    }

    @Test
    void shouldSayWhenOffsetsAreFull() {
        Column huge = text(0, 1_500_000_000);
        for (DataType type : List.of(TEXT, new DataType.Struct(List.of(TEXT)))) {
            Column source = type.equals(TEXT) ? huge : new Column(type, 1, null, List.of(), List.of(huge));
            BlockBuilder builder = new BlockBuilder(Layout.of(List.of(type)));
            builder.addRange(List.of(source), 0, 1);
            assertThat(builder.bytes()).isGreaterThan(1_500_000_000);
            assertThat(builder.fitsRange(List.of(source), 0, 1)).isFalse();
            assertThatThrownBy(() -> builder.addRows(List.of(source), new int[] {0}, 0, 1))
                    .isInstanceOf(HeadraceException.class)
                    .hasMessageContaining("3000000000")
                    .hasMessageContaining("2147483647");
        }
    }

    @Test
    void shouldNotLeaveItsMemoryWhenOffsetsLie() {
        MemorySegment target = arena.allocate(4096);
        for (int[] lie : new int[][] {{0, 400}, {-5, 3}, {1 << 30, (1 << 30) + 8}}) {
            BlockBuilder builder = new BlockBuilder(Layout.of(List.of(TEXT)));
            builder.addRows(List.of(text(lie)), new int[] {0}, 0, 1);
            builder.addEntry(0, 0, 0, 0, 1);
            MemorySegment block = target.asSlice(1024, builder.bytes());
            assertThatThrownBy(() -> builder.write(block)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(target.asSlice(0, 1024).toArray(BYTE)).containsOnly(0);
        assertThat(target.asSlice(2048).toArray(BYTE)).containsOnly(0);
        BlockBuilder builder = new BlockBuilder(Layout.of(List.of(TEXT)));
        Corruption.shouldBeRefused(() -> builder.addRange(List.of(text(5, 1)), 0, 1));
    }

    @Test
    void shouldKeepRowsOfATableWithoutColumns() {
        BlockBuilder builder = new BlockBuilder(Layout.of(List.of()));
        builder.addRows(List.of(), new int[] {3, 3, 1}, 0, 3);
        builder.addRange(List.of(), 10, 1L << 20);
        Block block = write(builder);
        assertThat(block.rows()).isEqualTo(3 + (1L << 20));
        assertThat(block.columns()).isEmpty();
    }

    @Test
    void shouldInsistThatEntriesCoverTheRows() {
        BlockBuilder builder = new BlockBuilder(Layout.of(List.of()));
        builder.addRange(List.of(), 0, 3);
        builder.addEntry(0, 0, 0, 0, 2);
        assertThatThrownBy(() -> builder.write(arena.allocate(builder.bytes())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2 rows")
                .hasMessageContaining("3");
    }

    private Block write(BlockBuilder builder) {
        builder.addEntry(0, 0, 0, 0, (int) builder.rows());
        MemorySegment target = arena.allocate(builder.bytes());
        builder.write(target);
        Block block = Block.read(builder.layout(), target);
        block.validate();
        return block;
    }

    /** Texts with these offsets over eight bytes. */
    private Column text(int... offsets) {
        MemorySegment data = arena.allocateFrom(BYTE, "abcdefgh".getBytes(StandardCharsets.US_ASCII));
        return new Column(TEXT, offsets.length - 1, null, List.of(arena.allocateFrom(INT, offsets), data), List.of());
    }

    /** An int8 dictionary of so many different two-byte values, each used by one row. */
    private Column dictionary(int size, String prefix) {
        MemorySegment indices = arena.allocate(size);
        MemorySegment offsets = arena.allocate(4L * (size + 1));
        MemorySegment data = arena.allocate(2L * size);
        for (int i = 0; i < size; i++) {
            indices.set(BYTE, i, (byte) i);
            offsets.set(INT, 4L * (i + 1), 2 * (i + 1));
            data.set(BYTE, 2L * i, (byte) prefix.charAt(0));
            data.set(BYTE, 2L * i + 1, (byte) i);
        }
        DataType type = new DataType.Dictionary(new DataType.Fixed(1, new Meaning.SignedInt()), false, TEXT);
        Column values = new Column(TEXT, size, null, List.of(offsets, data), List.of());
        return new Column(type, size, null, List.of(indices), List.of(values));
    }
}
