package dev.headrace.table;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one Arrow IPC stream, or one Arrow file, that lies in memory. The caller owns the memory and keeps it until the
 * last chunk is used; columns are slices of it except where they are compressed or unaligned. One thread.
 */
public final class IpcReader implements AutoCloseable {
    private final MessageSource messages;
    private final BufferSource memory;
    private final Dictionaries dictionaries;
    private boolean closed;

    /**
     * Reads the schema; the batches come with {@link #next()}.
     *
     * @throws HeadraceException CORRUPT_DATA, or INVALID_INPUT for what can't be read here
     */
    public IpcReader(MemorySegment bytes, BufferSource memory) {
        this.messages = MessageSource.open(bytes);
        this.memory = memory;
        this.dictionaries = new Dictionaries(schema().fields());
    }

    public Schema schema() {
        return messages.schema();
    }

    /**
     * The next record batch, checked so that all its columns can be read without leaving their buffers; null at the end
     * of the stream. The chunk before is not valid any more.
     *
     * @throws HeadraceException CORRUPT_DATA, INVALID_INPUT, or whatever the memory source throws
     */
    public @Nullable Chunk next() {
        if (closed) {
            throw new IllegalStateException("the reader is closed");
        }
        StreamMessage message = messages.next();
        while (message instanceof StreamMessage.OfDictionary dictionary) {
            dictionaries.add(dictionary);
            message = messages.next();
        }
        if (message instanceof StreamMessage.OfSchema) {
            throw HeadraceException.corruptData("an Arrow stream with a second schema in it");
        }
        return message instanceof StreamMessage.OfBatch batch
                ? chunk(new BatchBody(batch.header(), batch.body()))
                : null;
    }

    private Chunk chunk(BatchBody body) {
        Scratch scratch = Scratch.of(memory, scratchBytes(body));
        List<Field> fields = schema().fields();
        List<Column> columns = new ColumnDecoder(body, dictionaries, scratch).columns(fields);
        for (int i = 0; i < columns.size(); i++) {
            ColumnCheck.checkAllButDictionaries(columns.get(i), fields.get(i).name());
        }
        return new Chunk(body.header().rows(), columns);
    }

    private long scratchBytes(BatchBody body) {
        try {
            return Math.addExact(body.scratchBytes(), dictionaries.startChunk());
        } catch (ArithmeticException e) {
            throw new HeadraceException(
                    Category.CORRUPT_DATA,
                    Action.FAIL_SHUFFLE,
                    HeadraceException.NO_RANK,
                    "an Arrow record batch whose buffers claim more bytes than there can be",
                    e);
        }
    }

    /** Ends the use of the buffer source; the stream's memory stays with its owner. */
    @Override
    public void close() {
        closed = true;
    }
}
