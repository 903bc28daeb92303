package dev.headrace.table;

import java.lang.foreign.MemorySegment;

/** One message of an Arrow IPC stream: its metadata taken apart, its body in place. */
sealed interface StreamMessage {

    record OfSchema(Schema schema) implements StreamMessage {}

    record OfBatch(BatchHeader header, MemorySegment body) implements StreamMessage {}

    record OfDictionary(long id, boolean delta, BatchHeader header, MemorySegment body) implements StreamMessage {}
}
