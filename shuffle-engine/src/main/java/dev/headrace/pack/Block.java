package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of the bytes of one block; lives as long as they do and copies nothing but the entries' row numbers. Any
 * thread.
 */
public final class Block {
    private final Layout layout;
    private final MemorySegment bytes;
    private final long[] starts;
    private @Nullable List<Column> columns;

    private Block(Layout layout, MemorySegment bytes, long[] starts) {
        this.layout = layout;
        this.bytes = bytes;
        this.starts = starts;
    }

    /**
     * Reads the block that begins where the segment does; what lies behind it does not matter. Checks header and
     * entries; {@link #columns} checks the lengths and {@link #validate} the contents. CORRUPT_DATA if something is
     * off.
     */
    public static Block read(Layout layout, MemorySegment at) {
        long room = at.byteSize();
        require(room >= BlockFormat.HEADER_BYTES, "block header is cut off, bytes there", room);
        require(at.get(INT, BlockFormat.MAGIC_AT) == BlockFormat.MAGIC, "no block here, magic", at.get(INT, 0));
        long bytes = at.get(LONG, BlockFormat.BYTES_AT);
        int entries = at.get(INT, BlockFormat.ENTRIES_AT);
        require(bytes <= room && (bytes & 7) == 0, "block length", bytes);
        require(at.get(INT, BlockFormat.NODES_AT) == layout.nodes(), "columns", at.get(INT, BlockFormat.NODES_AT));
        require(
                at.get(INT, BlockFormat.BUFFERS_AT) == layout.buffers(),
                "buffers",
                at.get(INT, BlockFormat.BUFFERS_AT));
        require(entries >= 0 && BlockFormat.bodyOffset(layout, entries) <= bytes, "entries", entries);
        long[] starts = new long[entries + 1];
        for (int i = 0; i < entries; i++) {
            int rows = at.get(INT, entryAt(i) + BlockFormat.ROWS_IN_ENTRY);
            require(rows >= 0, "rows of an entry", rows);
            starts[i + 1] = starts[i] + rows;
        }
        long rows = at.get(LONG, BlockFormat.ROWS_AT);
        require(rows == starts[entries], "entries don't cover the rows", rows);
        return new Block(layout, at.asSlice(0, bytes), starts);
    }

    public Layout layout() {
        return layout;
    }

    /** Length of the block, a multiple of 8. */
    public long bytes() {
        return bytes.byteSize();
    }

    /** The block's own bytes, good to be copied as they are. */
    public MemorySegment segment() {
        return bytes;
    }

    public long rows() {
        return starts[starts.length - 1];
    }

    public int entryCount() {
        return starts.length - 1;
    }

    public Entry entry(int i) {
        return new Entry(batchAt(i), pieceAt(i), blockAt(i), partitionAt(i), rowsAt(i));
    }

    public long batchAt(int i) {
        return bytes.get(LONG, entryAt(i) + BlockFormat.BATCH_IN_ENTRY);
    }

    public int pieceAt(int i) {
        return bytes.get(INT, entryAt(i) + BlockFormat.PIECE_IN_ENTRY);
    }

    public int blockAt(int i) {
        return bytes.get(INT, entryAt(i) + BlockFormat.BLOCK_IN_ENTRY);
    }

    public int partitionAt(int i) {
        return bytes.get(INT, entryAt(i) + BlockFormat.PARTITION_IN_ENTRY);
    }

    public int rowsAt(int i) {
        return Math.toIntExact(starts[i + 1] - starts[i]);
    }

    /** The first row of entry i in this block; {@code entryStart(entryCount())} is the number of rows. */
    public long entryStart(int i) {
        return starts[i];
    }

    /**
     * The columns, views into the block. Their buffers have exactly the length that their rows need, else CORRUPT_DATA.
     */
    public List<Column> columns() {
        // A race makes the same immutable list twice; either is right.
        List<Column> made = columns;
        if (made == null) {
            made = new BlockColumns(layout, bytes, entryCount()).read(rows());
            columns = made;
        }
        return made;
    }

    /** Follows every offset, view, index, type code and run end; CORRUPT_DATA if one leads out of its buffer. */
    public void validate() {
        BlockCheck.check(columns());
    }

    private static long entryAt(int i) {
        return BlockFormat.HEADER_BYTES + BlockFormat.ENTRY_BYTES * i;
    }

    private static void require(boolean condition, String what, long value) {
        if (!condition) {
            throw HeadraceException.corruptData("bad block: " + what + " " + value);
        }
    }
}
