package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Builds blocks of one layout: rows and ranges are counted as they are added, {@link #bytes} is then exact, and
 * {@link #write} copies everything once. For one thread; one builder makes any number of blocks and keeps its scratch.
 *
 * <p>Sources, and the arrays of row numbers, must stay as they are until {@code write} or {@link #reset}. A source may
 * have narrower integers than the layout; else its types must be the layout's. What is written is canonical: no
 * validity without nulls, zeros under nulls and in unused bits, nulls without length, list views in order, dense unions
 * without unused values, dictionaries reduced to the values used, in the order of first use.
 *
 * <p>After an exception from {@code addRows} or {@code addRange} the block is void: only {@code reset} helps.
 */
public final class BlockBuilder {
    private final Layout layout;
    private final ColumnAppender[] columns;
    private final EntryTable entries = new EntryTable();
    private final BlockOutput output = new BlockOutput();
    private long rows;

    /** A builder of blocks of the target layout, empty at first. */
    public BlockBuilder(Layout target) {
        this.layout = target;
        this.columns = ColumnAppender.of(target.columns());
    }

    public Layout layout() {
        return layout;
    }

    /** Begins a new block and forgets all sources. */
    public void reset() {
        for (ColumnAppender column : columns) {
            column.reset();
        }
        entries.reset();
        rows = 0;
    }

    /**
     * Adds rows {@code order[from .. to)} of the source, in this order.
     *
     * @throws HeadraceException OUT_OF_MEMORY if an offset, index or run end does not fit; INVALID_INPUT if the columns
     *     are not the layout's; CORRUPT_DATA if the source contradicts itself
     */
    public void addRows(List<Column> source, int[] order, int from, int to) {
        checkCount(source);
        if (from < to) {
            for (int i = 0; i < columns.length; i++) {
                columns[i].addRows(source.get(i), order, from, to);
            }
            rows += to - from;
        }
    }

    /** Adds the rows {@code [start, start + count)} of the source; throws like {@link #addRows}. */
    public void addRange(List<Column> source, long start, long count) {
        checkCount(source);
        if (count > 0) {
            for (int i = 0; i < columns.length; i++) {
                columns[i].addRange(source.get(i), start, count);
            }
            rows += count;
        }
    }

    /**
     * Whether {@link #addRange} with the same arguments has room for all offsets, dictionary indices and run ends;
     * changes nothing. A range of a block that a builder wrote always fits into an empty builder. For other sources the
     * answer can be no for a range that would just fit.
     */
    public boolean fitsRange(List<Column> source, long start, long count) {
        checkCount(source);
        if (count > 0) {
            for (int i = 0; i < columns.length; i++) {
                if (!columns[i].fits(source.get(i), start, count)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Says whose the next {@code rows} rows are; entries together must cover all rows. */
    public void addEntry(long batch, int piece, int block, int partition, int rows) {
        entries.add(batch, piece, block, partition, rows);
    }

    /** Rows added since the last reset. */
    public long rows() {
        return rows;
    }

    public int entryCount() {
        return entries.count();
    }

    /** The exact length of the block, a multiple of 8; walks over all columns. */
    public long bytes() {
        long bytes = BlockFormat.bodyOffset(layout, entries.count());
        for (ColumnAppender column : columns) {
            bytes += column.bytes();
        }
        return bytes;
    }

    /** Writes the block to the first {@link #bytes} bytes of the target, whatever was there. */
    public void write(MemorySegment target) {
        if (entries.rows() != rows) {
            throw new IllegalStateException("entries have " + entries.rows() + " rows, the block has " + rows);
        }
        long bytes = bytes();
        MemorySegment block = target.asSlice(0, bytes);
        block.set(INT, BlockFormat.MAGIC_AT, BlockFormat.MAGIC);
        block.set(INT, BlockFormat.ENTRIES_AT, entries.count());
        block.set(LONG, BlockFormat.BYTES_AT, bytes);
        block.set(LONG, BlockFormat.ROWS_AT, rows);
        block.set(INT, BlockFormat.NODES_AT, layout.nodes());
        block.set(INT, BlockFormat.BUFFERS_AT, layout.buffers());
        entries.write(block, BlockFormat.HEADER_BYTES);
        int count = entries.count();
        output.start(
                block,
                BlockFormat.nodesOffset(count),
                BlockFormat.lengthsOffset(layout, count),
                BlockFormat.bodyOffset(layout, count));
        for (ColumnAppender column : columns) {
            column.write(output);
        }
        long end = output.end();
        output.finish();
        if (end != bytes) {
            throw new IllegalStateException("block has " + end + " bytes, counted were " + bytes);
        }
    }

    private void checkCount(List<Column> source) {
        if (source.size() != columns.length) {
            throw HeadraceException.invalidInput(
                    "source has " + source.size() + " columns, the layout has " + columns.length);
        }
    }
}
