package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The messages of an IPC stream or file in the order in which to read them: the schema, then the rest. */
sealed interface MessageSource permits MessageSource.OfStream, FileMessages {

    Schema schema();

    /** The next message after the schema, or null when there is none. */
    @Nullable
    StreamMessage next();

    static MessageSource open(MemorySegment bytes) {
        return FileMessages.isFile(bytes) ? FileMessages.open(bytes) : OfStream.open(bytes);
    }

    /** The messages as they lie. */
    record OfStream(Schema schema, MessageParser parser) implements MessageSource {

        static OfStream open(MemorySegment bytes) {
            MessageParser parser = new MessageParser(bytes, 0);
            if (parser.next() instanceof StreamMessage.OfSchema message) {
                return new OfStream(message.schema(), parser);
            }
            throw HeadraceException.corruptData(
                    "an Arrow stream of " + bytes.byteSize() + " bytes that does not begin with a schema");
        }

        @Override
        public @Nullable StreamMessage next() {
            return parser.next();
        }
    }
}
