package dev.headrace.table;

import com.google.flatbuffers.Table;
import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Takes encapsulated messages apart: a continuation mark, the length of the metadata, the metadata, the body. Nothing
 * outside this class and {@link FileMessages} reads flatbuffers of a stranger.
 *
 * <pre>
 *   0          4                8                       8 + n
 *   +----------+----------------+-----------------------+------------------+
 *   | FFFFFFFF | n (int32)      | flatbuffer, padded    | body             |
 *   +----------+----------------+-----------------------+------------------+
 * </pre>
 *
 * Streams older than Arrow 0.15 have no continuation mark.
 */
final class MessageParser {
    private static final int CONTINUATION = -1;

    private final MemorySegment bytes;
    private long position;

    MessageParser(MemorySegment bytes, long position) {
        this.bytes = bytes;
        this.position = position;
    }

    /** The next message, or null at the end of the stream. */
    @Nullable
    StreamMessage next() {
        if (position == bytes.byteSize()) {
            return null; // A stream may end without its end mark.
        }
        int metadataBytes = nextInt();
        if (metadataBytes == CONTINUATION) {
            metadataBytes = nextInt();
        }
        if (metadataBytes == 0) {
            position = bytes.byteSize();
            return null;
        }
        MemorySegment metadata = take(metadataBytes, "metadata");
        return guarded(() -> message(metadata.asByteBuffer()), position);
    }

    /** Runs what reads flatbuffers: the generated accessors check nothing but the limits of the memory they read. */
    static <T> T guarded(Supplier<T> read, long position) {
        try {
            return read.get();
        } catch (IndexOutOfBoundsException | IllegalArgumentException | NullPointerException e) {
            throw new HeadraceException(
                    Category.CORRUPT_DATA,
                    Action.FAIL_SHUFFLE,
                    HeadraceException.NO_RANK,
                    "the Arrow metadata before byte " + position + " points nowhere",
                    e);
        }
    }

    private int nextInt() {
        return take(4, "length").get(Words.INT, 0);
    }

    private MemorySegment take(long length, String what) {
        if (length < 0 || length > bytes.byteSize() - position) {
            throw HeadraceException.corruptData("an Arrow stream of " + bytes.byteSize()
                    + " bytes is cut off or corrupt: " + what + " of " + length + " bytes at byte " + position);
        }
        MemorySegment taken = bytes.asSlice(position, length);
        position += length;
        return taken;
    }

    private StreamMessage message(ByteBuffer metadata) {
        int metadataBytes = metadata.remaining();
        Message message = Message.getRootAsMessage(metadata);
        MemorySegment body = take(message.bodyLength(), "body");
        if (message.version() < MetadataVersion.V4 || message.version() > MetadataVersion.V5) {
            throw HeadraceException.invalidInput(
                    "Arrow metadata version " + (message.version() + 1) + "; versions 4 and 5 are read");
        }
        boolean old = message.version() < MetadataVersion.V5;
        return switch (message.headerType()) {
            case MessageHeader.Schema -> new StreamMessage.OfSchema(schema(message, old, metadata));
            case MessageHeader.RecordBatch -> {
                RecordBatch batch = header(message, new RecordBatch());
                yield new StreamMessage.OfBatch(new BatchHeader(batch, old, metadataBytes), body);
            }
            case MessageHeader.DictionaryBatch -> {
                DictionaryBatch batch = header(message, new DictionaryBatch());
                BatchHeader data = new BatchHeader(batch.data(), old, metadataBytes);
                yield new StreamMessage.OfDictionary(batch.id(), batch.isDelta(), data, body);
            }
            default ->
                throw HeadraceException.invalidInput(
                        "an Arrow message that is no schema, dictionary or record batch: kind " + message.headerType());
        };
    }

    private static Schema schema(Message message, boolean old, ByteBuffer metadata) {
        org.apache.arrow.flatbuf.Schema schema = header(message, new org.apache.arrow.flatbuf.Schema());
        byte[] original = MemorySegment.ofBuffer(metadata.duplicate().rewind()).toArray(ValueLayout.JAVA_BYTE);
        SchemaDecoder decoder = new SchemaDecoder(original.length);
        // A schema of the old version is written anew: its readers would look for the validity of unions.
        return new Schema(decoder.fields(schema), decoder.metadata(schema), old ? null : original);
    }

    private static <T extends Table> T header(Message message, T table) {
        if (message.header(table) == null) {
            throw HeadraceException.corruptData("an Arrow message without its header");
        }
        return table;
    }
}
