package dev.headrace.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FrameTest {
    private static final FrameHeader HEADER =
            new FrameHeader(FrameHeader.Kind.DATA, 0x1234_5678_9ABC_DEFFL, 3, -4, 1L << 40);

    private final Arena arena = Arena.ofConfined();
    private final Layout layout =
            Layout.of(List.of(new DataType.Fixed(8, new Meaning.SignedInt()), new DataType.Binary(false, true)));
    private final BlockBuilder builder = new BlockBuilder(layout);

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void shouldGiveBackHeaderBlocksAndEntries() {
        Frame frame = Frame.open(frame(3));
        assertThat(frame.header()).isEqualTo(HEADER);
        assertThat(frame.layout()).isEqualTo(layout);
        assertThat(frame.blockCount()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            Block block = frame.block(i);
            assertThat(frame.blockOffset(i) % 64).isZero();
            assertThat(block.entryCount()).isEqualTo(2);
            assertThat(block.entry(0)).isEqualTo(new Entry(70, 1, i, 8, 5));
            assertThat(block.entry(1)).isEqualTo(new Entry(70, 1, i, 9, 4));
            assertThat(block.entryStart(0)).isZero();
            assertThat(block.entryStart(1)).isEqualTo(5);
            assertThat(block.entryStart(2)).isEqualTo(9).isEqualTo(block.rows());
            block.validate();
        }
    }

    @Test
    void shouldReuseAKnownLayoutAndDecodeAnother() {
        MemorySegment bytes = frame(1);
        assertThat(Frame.open(bytes, layout).layout()).isSameAs(layout);
        assertThat(Frame.open(bytes, Layout.of(List.of())).layout()).isEqualTo(layout);
    }

    @Test
    void shouldRefuseAFrameWithAnyByteChanged() {
        MemorySegment bytes = frame(2);
        for (long at = 0; at < bytes.byteSize(); at++) {
            byte was = bytes.get(LittleEndian.BYTE, at);
            for (int change : new int[] {1, 0x80, 0xFF}) {
                bytes.set(LittleEndian.BYTE, at, (byte) (was ^ change));
                Corruption.shouldBeRefused(() -> Frame.open(bytes));
            }
            bytes.set(LittleEndian.BYTE, at, was);
        }
        assertThat(Frame.open(bytes).blockCount()).isEqualTo(2);
    }

    @Test
    void shouldRefuseAFrameOfAnyOtherLength() {
        MemorySegment bytes = frame(1);
        for (long length = 0; length < bytes.byteSize(); length++) {
            MemorySegment cut = bytes.asSlice(0, length);
            Corruption.shouldBeRefused(() -> Frame.open(cut));
        }
        MemorySegment longer = arena.allocate(bytes.byteSize() + 1);
        longer.asSlice(0, bytes.byteSize()).copyFrom(bytes);
        Corruption.shouldBeRefused(() -> Frame.open(longer));
    }

    @Test
    void shouldRefuseBrokenLengthsEvenWithRightChecksums() {
        Random random = new Random(42);
        MemorySegment good = frame(2);
        for (int i = 0; i < 20_000; i++) {
            MemorySegment bytes = MemorySegment.ofArray(good.toArray(LittleEndian.BYTE));
            // The body checksum is checked over the real body, so only the header can lie.
            long at = FrameFormat.SOURCE_RANK_AT + random.nextInt(40);
            bytes.set(LittleEndian.BYTE, at, (byte) random.nextInt());
            long headerBytes = bytes.get(LittleEndian.INT, FrameFormat.HEADER_BYTES_AT);
            if (headerBytes == 128) {
                bytes.set(
                        LittleEndian.INT,
                        FrameFormat.HEADER_CHECKSUM_AT,
                        FrameFormat.headerChecksum(bytes.asSlice(0, headerBytes)));
            }
            Corruption.shouldBeReadableOrRefused(() -> {
                Frame frame = Frame.open(bytes);
                for (int block = 0; block < frame.blockCount(); block++) {
                    frame.block(block).validate();
                }
            });
        }
    }

    @Test
    void shouldCarryAManifest() {
        MemorySegment slab = arena.allocate(1024, 64);
        FrameWriter writer = new FrameWriter(Layout.of(List.of()), slab);
        writer.nextBlock(11).fill((byte) 7);
        FrameHeader header = new FrameHeader(FrameHeader.Kind.MANIFEST, 1, 2, 3, 4);
        Frame frame = Frame.open(slab.asSlice(0, writer.seal(header)));
        assertThat(frame.header()).isEqualTo(header);
        assertThat(frame.blockCount()).isZero();
        assertThat(frame.body().toArray(LittleEndian.BYTE)).hasSize(11).containsOnly(7);
    }

    @Test
    void shouldSayHowMuchRoomIsLeft() {
        long blockBytes = 1000;
        long needed = FrameWriter.frameBytes(layout, blockBytes);
        FrameWriter writer = new FrameWriter(layout, arena.allocate(needed, 64));
        assertThat(writer.freeBytes()).isEqualTo(blockBytes);
        assertThatThrownBy(() -> writer.nextBlock(blockBytes + 1)).isInstanceOf(IllegalStateException.class);
        assertThat(writer.nextBlock(blockBytes).byteSize()).isEqualTo(blockBytes);
        assertThat(writer.freeBytes()).isZero();
        assertThat(writer.blockCount()).isEqualTo(1);
    }

    @Test
    void shouldSealAFrameWithoutBlocks() {
        MemorySegment slab = arena.allocate(1024, 64);
        Frame frame = Frame.open(slab.asSlice(0, new FrameWriter(layout, slab).seal(HEADER)));
        assertThat(frame.blockCount()).isZero();
        assertThat(frame.body().byteSize()).isZero();
    }

    private MemorySegment frame(int blocks) {
        List<Column> source = new RandomColumns(new Random(5), arena).columns(layout.columns(), 9);
        MemorySegment slab = arena.allocate(8192, 64);
        slab.fill((byte) 0xA5);
        FrameWriter writer = new FrameWriter(layout, slab);
        for (int block = 0; block < blocks; block++) {
            builder.reset();
            builder.addRange(source, 0, 9);
            builder.addEntry(70, 1, block, 8, 5);
            builder.addEntry(70, 1, block, 9, 4);
            builder.write(writer.nextBlock(builder.bytes()));
        }
        return slab.asSlice(0, writer.seal(HEADER));
    }
}
