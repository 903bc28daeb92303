package dev.headrace.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random columns of all types, through a block and back: the rows are those that were asked for. */
final class BlockBuilderTest {

    @Property(tries = 150)
    void shouldKeepGatheredRows(@ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            List<DataType> types = new RandomTypes(random).columns(4, random.nextInt(4));
            RandomColumns make = new RandomColumns(random, arena);
            BlockBuilder builder = new BlockBuilder(Layout.of(types));
            for (int block = 0; block < 3; block++) {
                builder.reset();
                List<String> expected = new ArrayList<>();
                for (int part = random.nextInt(3); part >= 0; part--) {
                    int rows = 1 + random.nextInt(40);
                    List<Column> source = make.columns(types, rows);
                    int[] order = random.ints(random.nextInt(150), 0, rows).toArray();
                    int from = order.length == 0 ? 0 : random.nextInt(order.length);
                    builder.addRows(source, order, from, order.length);
                    for (int i = from; i < order.length; i++) {
                        expected.add(Values.row(source, order[i]));
                    }
                }
                Block written = write(builder, arena);
                assertThat(Values.rows(written.columns(), written.rows())).isEqualTo(expected);
            }
        }
    }

    @Property(tries = 150)
    void shouldKeepConcatenatedRanges(@ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            List<DataType> types = new RandomTypes(random).columns(4, random.nextInt(4));
            RandomColumns make = new RandomColumns(random, arena);
            BlockBuilder first = new BlockBuilder(Layout.of(types));
            BlockBuilder second = new BlockBuilder(Layout.of(types));
            List<String> expected = new ArrayList<>();
            for (int part = 0; part < 3; part++) {
                int rows = random.nextInt(60);
                List<Column> source = make.columns(types, rows);
                first.reset();
                int start = random.nextInt(rows + 1);
                first.addRange(source, start, rows - start);
                Block block = write(first, arena);
                assertThat(Values.rows(block.columns(), block.rows()))
                        .isEqualTo(Values.rows(source, rows).subList(start, rows));
                for (int range = 0; range < 3; range++) {
                    int from = random.nextInt((int) block.rows() + 1);
                    int count = random.nextInt((int) block.rows() - from + 1);
                    assertThat(second.fitsRange(block.columns(), from, count)).isTrue();
                    second.addRange(block.columns(), from, count);
                    expected.addAll(Values.rows(block.columns(), block.rows()).subList(from, from + count));
                }
            }
            Block both = write(second, arena);
            assertThat(Values.rows(both.columns(), both.rows())).isEqualTo(expected);
        }
    }

    @Property(tries = 120)
    void shouldGiveEqualBytesForARangeAndItsRows(@ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            List<DataType> types = new RandomTypes(random).columns(4, random.nextInt(4));
            List<Column> source = new RandomColumns(random, arena).columns(types, 70);
            int start = random.nextInt(20);
            int[] order = new int[50];
            for (int i = 0; i < order.length; i++) {
                order[i] = start + i;
            }
            BlockBuilder builder = new BlockBuilder(Layout.of(types));
            builder.addRows(source, order, 0, order.length);
            Block byRows = write(builder, arena);
            builder.reset();
            builder.addRange(source, start, 20);
            builder.addRange(source, start + 20, 30);
            Block byRange = write(builder, arena);
            assertThat(byRange.segment().mismatch(byRows.segment())).isEqualTo(-1);
            builder.reset();
            builder.addRange(byRange.columns(), 0, 50);
            assertThat(write(builder, arena).segment().mismatch(byRows.segment()))
                    .isEqualTo(-1);
        }
    }

    @Property(tries = 150)
    void shouldNameEverySlipOfABlock(@ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            List<DataType> types = new RandomTypes(random).columns(3, random.nextInt(3));
            BlockBuilder builder = new BlockBuilder(Layout.of(types));
            builder.addRange(new RandomColumns(random, arena).columns(types, 20), 0, 20);
            MemorySegment block = write(builder, arena).segment();
            for (int i = 0; i < 60; i++) {
                long at = random.nextLong(block.byteSize());
                byte was = block.get(LittleEndian.BYTE, at);
                block.set(LittleEndian.BYTE, at, (byte) random.nextInt());
                Corruption.shouldBeReadableOrRefused(() -> {
                    Block read = Block.read(Layout.of(types), block);
                    read.validate();
                    Values.rows(read.columns(), read.rows());
                });
                block.set(LittleEndian.BYTE, at, was);
            }
        }
    }

    /** Writes into memory full of garbage that is exactly as long as promised. */
    private static Block write(BlockBuilder builder, Arena arena) {
        builder.addEntry(1, 2, 3, 4, (int) builder.rows());
        MemorySegment target = arena.allocate(builder.bytes(), 64);
        target.fill((byte) 0xA5);
        builder.write(target);
        Block block = Block.read(builder.layout(), target);
        block.validate();
        assertThat(block.bytes()).isEqualTo(target.byteSize());
        assertThat(block.rows()).isEqualTo(builder.rows());
        return block;
    }
}
