package dev.headrace.table;

import com.google.flatbuffers.FlatBufferBuilder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/** Lists the nodes and buffers of columns as the format wants them, then writes one record or dictionary batch. */
final class BatchEncoder {
    private static final MemorySegment ONE_OFFSET = MemorySegment.ofArray(new byte[8]);

    private final List<MemorySegment> buffers = new ArrayList<>();
    private final List<Long> dataBufferCounts = new ArrayList<>();
    private final List<Long> nodes = new ArrayList<>();

    void add(Column column) {
        long nulls = Validity.nulls(column);
        nodes.add(column.rows());
        nodes.add(nulls);
        addBuffers(column, nulls == 0 ? null : column.validity());
        if (!(column.type() instanceof DataType.Dictionary)) {
            column.children().forEach(this::add);
        }
    }

    private void addBuffers(Column column, @Nullable MemorySegment validity) {
        long rows = column.rows();
        switch (column.type()) {
            case DataType.Null ignored -> {}
            case DataType.RunEnd ignored -> {}
            case DataType.Union union -> {
                buffers.add(column.buffers().get(0).asSlice(0, rows));
                if (union.dense()) {
                    buffers.add(column.buffers().get(1).asSlice(0, 4 * rows));
                }
            }
            default -> {
                buffers.add(validity == null ? MemorySegment.NULL : validity.asSlice(0, Validity.bytes(rows)));
                addValues(column);
            }
        }
    }

    private void addValues(Column column) {
        long rows = column.rows();
        switch (column.type()) {
            case DataType.Bool ignored -> buffers.add(column.buffers().get(0).asSlice(0, Validity.bytes(rows)));
            case DataType.Fixed fixed -> buffers.add(column.buffers().get(0).asSlice(0, rows * fixed.widthBytes()));
            case DataType.Dictionary dictionary ->
                buffers.add(column.buffers()
                        .get(0)
                        .asSlice(0, rows * dictionary.index().widthBytes()));
            case DataType.Binary binary -> {
                MemorySegment offsets = addOffsets(column, binary.large());
                buffers.add(column.buffers().get(1).asSlice(0, Words.offset(offsets, binary.large(), rows)));
            }
            case DataType.Varied list -> addOffsets(column, list.large());
            case DataType.View ignored -> {
                buffers.add(column.buffers().get(0).asSlice(0, 16 * rows));
                buffers.addAll(column.buffers().subList(1, column.buffers().size()));
                dataBufferCounts.add(column.buffers().size() - 1L);
            }
            case DataType.ListView list -> {
                long bytes = rows * Words.offsetBytes(list.large());
                buffers.add(column.buffers().get(0).asSlice(0, bytes));
                buffers.add(column.buffers().get(1).asSlice(0, bytes));
            }
            default -> {} // Structs and fixed-size lists have children only.
        }
    }

    private MemorySegment addOffsets(Column column, boolean large) {
        // No rows may come without offsets; written there is always one, because not every reader takes none.
        MemorySegment source =
                column.rows() == 0 ? ONE_OFFSET : column.buffers().get(0);
        MemorySegment offsets = source.asSlice(0, (column.rows() + 1) * Words.offsetBytes(large));
        buffers.add(offsets);
        return offsets;
    }

    void writeRecordBatch(long rows, IpcMessage.Builder target) {
        FlatBufferBuilder builder = new FlatBufferBuilder(256 + 24 * (nodes.size() + buffers.size()));
        write(builder, MessageHeader.RecordBatch, recordBatch(builder, rows), target);
    }

    /** Replaces what the dictionary held before. */
    void writeDictionary(long id, long rows, IpcMessage.Builder target) {
        FlatBufferBuilder builder = new FlatBufferBuilder(256 + 24 * (nodes.size() + buffers.size()));
        int data = recordBatch(builder, rows);
        int dictionary = DictionaryBatch.createDictionaryBatch(builder, id, data, false);
        write(builder, MessageHeader.DictionaryBatch, dictionary, target);
    }

    private int recordBatch(FlatBufferBuilder builder, long rows) {
        RecordBatch.startNodesVector(builder, nodes.size() / 2);
        for (int i = nodes.size() - 2; i >= 0; i -= 2) { // flatbuffers grow from the end
            FieldNode.createFieldNode(builder, nodes.get(i), nodes.get(i + 1));
        }
        int nodesVector = builder.endVector();
        long end = bodyBytes();
        RecordBatch.startBuffersVector(builder, buffers.size());
        for (int i = buffers.size() - 1; i >= 0; i--) {
            long bytes = buffers.get(i).byteSize();
            end -= Words.padded(bytes);
            Buffer.createBuffer(builder, end, bytes);
        }
        int buffersVector = builder.endVector();
        int counts = dataBufferCounts.isEmpty()
                ? 0
                : RecordBatch.createVariadicBufferCountsVector(
                        builder,
                        dataBufferCounts.stream().mapToLong(Long::longValue).toArray());
        return RecordBatch.createRecordBatch(builder, rows, nodesVector, buffersVector, 0, counts);
    }

    private long bodyBytes() {
        long sum = 0;
        for (MemorySegment buffer : buffers) {
            sum += Words.padded(buffer.byteSize());
        }
        return sum;
    }

    private void write(FlatBufferBuilder builder, byte kind, int header, IpcMessage.Builder target) {
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, kind, header, bodyBytes(), 0));
        target.add(MemorySegment.ofArray(Encapsulation.of(builder.sizedByteArray())));
        buffers.forEach(target::addPadded);
    }
}
