package dev.headrace.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SmokeTest {
    @Test
    void shouldRoundTripNumbersAndText() {
        try (Arena arena = Arena.ofConfined()) {
            DataType i64 = new DataType.Fixed(8, new DataType.Meaning.SignedInt());
            DataType text = new DataType.Binary(false, true);
            MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_LONG, 1, 2, 3, 4);
            MemorySegment offsets = arena.allocateFrom(ValueLayout.JAVA_INT, 3, 4, 6, 9, 9);
            MemorySegment data = arena.allocateFrom("xxxabbccc");
            MemorySegment valid = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 0b1101);
            List<Column> source = List.of(
                    new Column(i64, 4, null, List.of(numbers), List.of()),
                    new Column(text, 4, valid, List.of(offsets, data), List.of()));
            Layout layout = Layout.of(List.of(i64, text));
            BlockBuilder builder = new BlockBuilder(layout);
            builder.addRows(source, new int[] {3, 2, 1, 0}, 0, 4);
            builder.addRange(source, 1, 3);
            builder.addEntry(7, 0, 0, 5, 3);
            builder.addEntry(7, 0, 1, 6, 4);
            MemorySegment slab = arena.allocate(4096, 64);
            slab.fill((byte) 0x55);
            FrameWriter writer = new FrameWriter(layout, slab);
            builder.write(writer.nextBlock(builder.bytes()));
            long bytes = writer.seal(new FrameHeader(FrameHeader.Kind.DATA, 11, 2, 3, 4));
            Frame frame = Frame.open(slab.asSlice(0, bytes));
            Block block = frame.block(0);
            assertThat(block.rows()).isEqualTo(7);
            Column first = block.columns().get(0);
            assertThat(first.buffers().getFirst().toArray(ValueLayout.JAVA_LONG))
                    .containsExactly(4, 3, 2, 1, 2, 3, 4);
            Column second = block.columns().get(1);
            assertThat(second.buffers().get(0).toArray(ValueLayout.JAVA_INT)).containsExactly(0, 0, 3, 3, 4, 4, 7, 7);
            assertThat(new String(second.buffers().get(1).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8))
                    .isEqualTo("ccca" + "ccc");
        }
    }
}
