package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Cuts the body of a block into columns, depth-first, and checks that every length is what the rows ask for. */
final class BlockColumns {
    private final Layout layout;
    private final MemorySegment block;
    private long node;
    private long length;
    private long body;

    BlockColumns(Layout layout, MemorySegment block, int entries) {
        this.layout = layout;
        this.block = block;
        this.node = BlockFormat.nodesOffset(entries);
        this.length = BlockFormat.lengthsOffset(layout, entries);
        this.body = BlockFormat.bodyOffset(layout, entries);
    }

    List<Column> read(long rows) {
        List<Column> columns = new ArrayList<>(layout.columns().size());
        for (DataType type : layout.columns()) {
            Column column = column(type);
            require(column.rows() == rows, "rows of a column", column.rows());
            columns.add(column);
        }
        require(body == block.byteSize(), "end of the body", body);
        return List.copyOf(columns);
    }

    private Column column(DataType type) {
        long rows = block.get(LONG, node);
        node += 8;
        require(rows >= 0, "rows of a column", rows);
        MemorySegment validity = Nodes.hasValidity(type) ? validity(rows) : null;
        List<MemorySegment> buffers = buffers(type, rows);
        List<DataType> types = Nodes.children(type);
        List<Column> children = new ArrayList<>(types.size());
        for (DataType child : types) {
            children.add(column(child));
        }
        Column column = new Column(type, rows, validity, buffers, List.copyOf(children));
        checkChildren(column);
        return column;
    }

    private @Nullable MemorySegment validity(long rows) {
        MemorySegment bits = next();
        if (bits.byteSize() == 0) {
            return null;
        }
        requireLength(bits, bitmapBytes(rows));
        return bits;
    }

    private List<MemorySegment> buffers(DataType type, long rows) {
        return switch (type) {
            case DataType.Null _, DataType.FixedList _, DataType.Struct _, DataType.RunEnd _ -> List.of();
            case DataType.Bool _ -> {
                MemorySegment bits = next();
                requireLength(bits, bitmapBytes(rows));
                yield List.of(bits);
            }
            case DataType.Fixed fixed -> List.of(values(rows, fixed.widthBytes()));
            case DataType.Dictionary dictionary ->
                List.of(values(rows, dictionary.index().widthBytes()));
            case DataType.Binary binary -> List.of(offsets(rows, binary.large()), next());
            case DataType.Varied list -> List.of(offsets(rows, list.large()));
            case DataType.ListView list -> {
                int width = list.large() ? 8 : 4;
                yield List.of(values(rows, width), values(rows, width));
            }
            case DataType.View _ -> List.of(values(rows, 16), next());
            case DataType.Union union -> {
                MemorySegment codes = values(rows, 1);
                yield union.dense() ? List.of(codes, values(rows, 4)) : List.of(codes);
            }
        };
    }

    private static void checkChildren(Column column) {
        long rows = column.rows();
        List<Column> children = column.children();
        switch (column.type()) {
            case DataType.Struct _ -> children.forEach(BlockColumns.sameRows(rows));
            case DataType.Union union -> {
                if (!union.dense()) {
                    children.forEach(BlockColumns.sameRows(rows));
                }
            }
            case DataType.FixedList list -> {
                long items = children.getFirst().rows();
                boolean right = list.size() == 0 ? items == 0 : items % list.size() == 0 && items / list.size() == rows;
                require(right, "rows in a fixed-size list", items);
            }
            case DataType.RunEnd _ ->
                require(
                        children.getFirst().rows() == children.getLast().rows(),
                        "run values",
                        children.getLast().rows());
            default -> {
                // Offsets and indices say how far they reach: validate() follows them.
            }
        }
    }

    private static Consumer<Column> sameRows(long rows) {
        return child -> require(child.rows() == rows, "rows of a child", child.rows());
    }

    private MemorySegment offsets(long rows, boolean large) {
        if (rows == 0) {
            MemorySegment empty = next();
            requireLength(empty, 0);
            return empty;
        }
        return values(rows + 1, large ? 8 : 4);
    }

    private MemorySegment values(long rows, int width) {
        MemorySegment values = next();
        require(width == 0 || rows <= block.byteSize() / width, "rows of a column", rows);
        requireLength(values, rows * width);
        return values;
    }

    private MemorySegment next() {
        long bytes = block.get(LONG, length);
        length += 8;
        require(bytes >= 0 && bytes <= block.byteSize() - body, "length of a buffer", bytes);
        MemorySegment buffer = block.asSlice(body, bytes);
        body += LittleEndian.pad8(bytes);
        return buffer;
    }

    private static long bitmapBytes(long rows) {
        return (rows >>> 3) + ((rows & 7) == 0 ? 0 : 1);
    }

    private static void requireLength(MemorySegment buffer, long bytes) {
        require(buffer.byteSize() == bytes, "needs a buffer of " + bytes + " bytes, not", buffer.byteSize());
    }

    private static void require(boolean condition, String what, long value) {
        if (!condition) {
            throw HeadraceException.corruptData("bad block: " + what + " " + value);
        }
    }
}
