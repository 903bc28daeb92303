package dev.headrace.engine;

import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;

/** A small Arrow IPC stream on the heap, a record batch for each filled builder. One thread. */
final class IpcBytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final IpcWriter writer;

    IpcBytes(Schema schema) {
        this.writer = new IpcWriter(schema);
        bytes.writeBytes(writer.schemaMessage());
    }

    int size() {
        return bytes.size();
    }

    /** Adds what the builder holds, if that is anything, and empties it. */
    void add(BlockBuilder builder) {
        if (builder.rows() > 0) {
            builder.addEntry(0, 0, 0, 0, Math.toIntExact(builder.rows()));
            MemorySegment memory = MemorySegment.ofArray(new byte[Math.toIntExact(builder.bytes())]);
            builder.write(memory);
            Block block = Block.read(builder.layout(), memory);
            IpcMessage message = writer.recordBatch(block.columns(), block.rows());
            byte[] copy = new byte[Math.toIntExact(message.bytes())];
            message.copyTo(0, MemorySegment.ofArray(copy));
            bytes.writeBytes(copy);
        }
        builder.reset();
    }

    byte[] toByteArray() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream(bytes.size() + 8);
        whole.writeBytes(bytes.toByteArray());
        whole.writeBytes(writer.endOfStream());
        return whole.toByteArray();
    }
}
