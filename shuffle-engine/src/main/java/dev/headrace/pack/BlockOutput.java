package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.LONG;

import java.lang.foreign.MemorySegment;

/** Lays the columns of one block out, depth-first, as they come: a row count per column, a place per buffer. */
final class BlockOutput {
    private MemorySegment target = MemorySegment.NULL;
    private long node;
    private long length;
    private long body;

    void start(MemorySegment block, long nodesAt, long lengthsAt, long bodyAt) {
        target = block;
        node = nodesAt;
        length = lengthsAt;
        body = bodyAt;
    }

    void finish() {
        target = MemorySegment.NULL;
    }

    MemorySegment target() {
        return target;
    }

    /** Comes before the buffers of a column. */
    void column(long rows) {
        target.set(LONG, node, rows);
        node += 8;
    }

    /** Where the next buffer lies; its padding is zero, its bytes are not yet written. */
    long place(long bytes) {
        target.set(LONG, length, bytes);
        length += 8;
        long at = body;
        body += LittleEndian.pad8(bytes);
        if ((bytes & 7) != 0) {
            target.set(LONG, body - 8, 0);
        }
        return at;
    }

    long end() {
        return body;
    }
}
