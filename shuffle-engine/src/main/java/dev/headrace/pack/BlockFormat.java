package dev.headrace.pack;

/**
 * The bytes of a block, little-endian; offsets from its start, which is a multiple of 64 in a frame.
 *
 * <pre>
 *  0        4        8                16               24       28       32
 *  +--------+--------+----------------+----------------+--------+--------+
 *  | magic  |entries | bytes (i64)    | rows (i64)     | nodes  |buffers |
 *  +--------+--------+----------------+----------------+--------+--------+
 *  entries x 24:  batch (i64) | piece (i32) | block (i32) | partition (i32) | rows (i32)
 *  nodes   x  8:  rows of each column, depth-first (i64)
 *  buffers x  8:  bytes of each buffer, depth-first, without padding (i64)
 *  the buffers, depth-first, each padded with zeros to a multiple of 8
 * </pre>
 *
 * <p>A column's buffers are those of Arrow: validity (length 0 if no row is null; none at all for null, union and
 * run-end columns), then offsets, data and so on, then its children. An offsets buffer of a column without rows has
 * length 0. A view column has exactly one data buffer. The dictionary is the child of its indices.
 */
final class BlockFormat {
    static final int MAGIC = 0x4b_4c_42_48; // "HBLK"

    static final long MAGIC_AT = 0;
    static final long ENTRIES_AT = 4;
    static final long BYTES_AT = 8;
    static final long ROWS_AT = 16;
    static final long NODES_AT = 24;
    static final long BUFFERS_AT = 28;
    static final long HEADER_BYTES = 32;

    static final long ENTRY_BYTES = 24;
    static final long BATCH_IN_ENTRY = 0;
    static final long PIECE_IN_ENTRY = 8;
    static final long BLOCK_IN_ENTRY = 12;
    static final long PARTITION_IN_ENTRY = 16;
    static final long ROWS_IN_ENTRY = 20;

    private BlockFormat() {}

    static long nodesOffset(int entries) {
        return HEADER_BYTES + ENTRY_BYTES * entries;
    }

    static long lengthsOffset(Layout layout, int entries) {
        return nodesOffset(entries) + 8L * layout.nodes();
    }

    static long bodyOffset(Layout layout, int entries) {
        return lengthsOffset(layout, entries) + 8L * layout.buffers();
    }
}
