package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the nodes and buffers of one record batch together to columns, depth-first as the format lists them. Looks at no
 * value: {@link ColumnCheck} does.
 */
final class ColumnDecoder {
    private final BatchBody body;
    private final BatchHeader header;
    private final Dictionaries dictionaries;
    private final Scratch scratch;
    private int nextNode;
    private int nextBuffer;
    private int nextView;

    ColumnDecoder(BatchBody body, Dictionaries dictionaries, Scratch scratch) {
        this.body = body;
        this.header = body.header();
        this.dictionaries = dictionaries;
        this.scratch = scratch;
    }

    List<Column> columns(List<Field> fields) {
        if (header.rows() < 0) {
            throw HeadraceException.corruptData("an Arrow record batch of " + header.rows() + " rows");
        }
        List<Column> columns = new ArrayList<>(fields.size());
        for (Field field : fields) {
            Column column = column(field);
            if (column.rows() != header.rows()) {
                throw HeadraceException.corruptData("column " + field.name() + " has " + column.rows()
                        + " rows in an Arrow record batch of " + header.rows());
            }
            columns.add(column);
        }
        if (nextNode != header.nodeCount() || nextBuffer != header.bufferCount()) {
            throw HeadraceException.corruptData("an Arrow record batch has " + header.nodeCount() + " arrays and "
                    + header.bufferCount() + " buffers; its schema asks for " + nextNode + " and " + nextBuffer);
        }
        return columns;
    }

    private Column column(Field field) {
        if (nextNode == header.nodeCount()) {
            throw HeadraceException.corruptData(
                    "an Arrow record batch has " + nextNode + " arrays and none for column " + field.name());
        }
        int node = nextNode++;
        long rows = header.nodeRows(node);
        long nulls = header.nodeNulls(node);
        if (rows < 0 || nulls < -1 || nulls > rows) {
            throw HeadraceException.corruptData(
                    "column " + field.name() + " has " + rows + " rows, " + nulls + " of them null");
        }
        MemorySegment validity = validity(field, nulls);
        List<MemorySegment> buffers = new ArrayList<>();
        for (long i = bufferCount(field); i > 0; i--) {
            buffers.add(nextBuffer(field));
        }
        if (rows == 0 && (field.type() instanceof DataType.Binary || field.type() instanceof DataType.Varied)) {
            buffers.set(0, MemorySegment.NULL); // The offsets of no rows say nothing, and need not be there.
        }
        return new Column(field.type(), rows, validity, List.copyOf(buffers), children(field, rows));
    }

    private @Nullable MemorySegment validity(Field field, long nulls) {
        return switch (field.type()) {
            case DataType.Null ignored -> null;
            case DataType.RunEnd ignored -> null;
            case DataType.Union ignored -> {
                skipUnionValidity(field, nulls);
                yield null;
            }
            default -> {
                MemorySegment bitmap = nextBuffer(field);
                if (bitmap.byteSize() == 0 && nulls > 0) {
                    throw HeadraceException.corruptData(
                            "column " + field.name() + " has " + nulls + " nulls and no bitmap that says which");
                }
                yield nulls == 0 || bitmap.byteSize() == 0 ? null : bitmap;
            }
        };
    }

    private void skipUnionValidity(Field field, long nulls) {
        if (!header.unionsHaveValidity()) {
            return;
        }
        nextBuffer(field);
        if (nulls > 0) {
            throw HeadraceException.invalidInput("union column " + field.name()
                    + " has nulls of its own, which Arrow gave up in metadata version 5");
        }
    }

    private long bufferCount(Field field) {
        long count = Columns.bufferCount(field.type());
        return field.type() instanceof DataType.View ? count + dataBufferCount(field) : count;
    }

    private long dataBufferCount(Field field) {
        if (nextView == header.viewCount()) {
            throw HeadraceException.corruptData("an Arrow record batch does not say how many data buffers column "
                    + field.name() + " of views has");
        }
        long count = header.dataBufferCount(nextView++);
        if (count < 0 || count > header.bufferCount()) {
            throw HeadraceException.corruptData("column " + field.name() + " has " + count
                    + " data buffers in an Arrow record batch with " + header.bufferCount() + " buffers in all");
        }
        return count;
    }

    private MemorySegment nextBuffer(Field field) {
        if (nextBuffer == header.bufferCount()) {
            throw HeadraceException.corruptData(
                    "an Arrow record batch has " + nextBuffer + " buffers, too few for column " + field.name());
        }
        return body.buffer(nextBuffer++, scratch);
    }

    private List<Column> children(Field field, long rows) {
        if (field.type() instanceof DataType.Dictionary) {
            return List.of(dictionaries.resolve(field.dictionaryId(), scratch));
        }
        List<Column> children = new ArrayList<>(field.children().size());
        for (Field child : field.children()) {
            children.add(column(child));
        }
        return Columns.childrenWithin(field.type(), rows, children);
    }
}
