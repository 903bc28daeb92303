package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of the IPC file format: all dictionaries, then the record batches, both in the order of the footer. The
 * file ends with the footer, its length (int32) and the magic.
 */
final class FileMessages implements MessageSource {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_BYTES = 8;
    private static final int TAIL_BYTES = 4 + MAGIC.length;
    private static final int BLOCK_BYTES = 24;

    private final MemorySegment bytes;
    private final Schema schema;
    private final long[] positions;
    private int next;

    private FileMessages(MemorySegment bytes, Schema schema, long[] positions) {
        this.bytes = bytes;
        this.schema = schema;
        this.positions = positions;
    }

    static boolean isFile(MemorySegment bytes) {
        return bytes.byteSize() >= HEAD_BYTES && hasMagic(bytes, 0);
    }

    private static boolean hasMagic(MemorySegment bytes, long position) {
        return MemorySegment.ofArray(MAGIC).mismatch(bytes.asSlice(position, MAGIC.length)) < 0;
    }

    static FileMessages open(MemorySegment bytes) {
        long footerEnd = bytes.byteSize() - TAIL_BYTES;
        if (footerEnd < HEAD_BYTES || !hasMagic(bytes, footerEnd + 4)) {
            throw HeadraceException.corruptData("an Arrow file of " + bytes.byteSize() + " bytes is cut off");
        }
        int footerBytes = bytes.get(Words.INT, footerEnd);
        if (footerBytes < 0 || footerBytes > footerEnd - HEAD_BYTES) {
            throw HeadraceException.corruptData(
                    "an Arrow file of " + bytes.byteSize() + " bytes has a footer of " + footerBytes);
        }
        byte[] footer = bytes.asSlice(footerEnd - footerBytes, footerBytes).toArray(ValueLayout.JAVA_BYTE);
        long[] positions = MessageParser.guarded(() -> positions(footer), footerEnd);
        if (new MessageParser(bytes, HEAD_BYTES).next() instanceof StreamMessage.OfSchema message) {
            return new FileMessages(bytes, message.schema(), positions);
        }
        throw HeadraceException.corruptData(
                "an Arrow file of " + bytes.byteSize() + " bytes that does not begin with a schema");
    }

    private static long[] positions(byte[] bytes) {
        Footer footer = Footer.getRootAsFooter(ByteBuffer.wrap(bytes));
        int dictionaries = footer.dictionariesLength();
        int batches = footer.recordBatchesLength();
        if (dictionaries < 0 || batches < 0 || (long) dictionaries + batches > bytes.length / BLOCK_BYTES) {
            throw HeadraceException.corruptData("an Arrow file whose footer of " + bytes.length + " bytes names "
                    + dictionaries + " dictionaries and " + batches + " record batches");
        }
        long[] positions = new long[dictionaries + batches];
        Block block = new Block();
        for (int i = 0; i < positions.length; i++) {
            positions[i] = (i < dictionaries
                            ? footer.dictionaries(block, i)
                            : footer.recordBatches(block, i - dictionaries))
                    .offset();
        }
        return positions;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public @Nullable StreamMessage next() {
        if (next == positions.length) {
            return null;
        }
        long position = positions[next++];
        if (position < HEAD_BYTES || position >= bytes.byteSize()) {
            throw HeadraceException.corruptData(
                    "an Arrow file of " + bytes.byteSize() + " bytes with a message at byte " + position);
        }
        StreamMessage message = new MessageParser(bytes, position).next();
        if (message == null) {
            throw HeadraceException.corruptData("an Arrow file with no message at byte " + position);
        }
        return message;
    }
}
