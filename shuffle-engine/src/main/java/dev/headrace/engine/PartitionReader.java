package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Arrow IPC stream of one complete partition, page by page. It remembers where each page begins, so that the same
 * page has the same bytes however often it is fetched, and holds no data between calls. Thread-safe: one page at a
 * time.
 */
final class PartitionReader {
    /** A page ends when the next record batch would take it over this; only a single larger one is cut. */
    private static final int PAGE_BYTES = 8 << 20;

    private final PartitionRows rows;
    private final IpcWriter writer;
    private final List<Position> starts = new ArrayList<>(List.of(new Position(0, 0)));

    PartitionReader(PartitionRows rows, Schema schema) {
        this.rows = rows;
        this.writer = new IpcWriter(schema);
    }

    /** A byte of the record batch that begins at a place. */
    private record Position(long place, long skippedBytes) {}

    synchronized Page page(int number) {
        if (number < 0 || number >= starts.size()) {
            throw HeadraceException.invalidInput(
                    "page " + number + " can't be fetched before page " + (starts.size() - 1));
        }
        Output out = new Output();
        if (number == 0) {
            out.add(writer.schemaMessage());
        }
        Position next = fill(out, starts.get(number));
        boolean last = next.place() == rows.end();
        if (number + 1 < starts.size() && !starts.get(number + 1).equals(next)) {
            throw new IllegalStateException("page " + number + " ended at " + starts.get(number + 1)
                    + " the first time, and ends at " + next + " now");
        }
        if (last) {
            out.add(writer.endOfStream());
        } else if (number == starts.size() - 1) {
            starts.add(next);
        }
        return new Page(out.toArray(), last);
    }

    /** Adds record batches as long as they fit, and gives the position of the next page. */
    private Position fill(Output out, Position from) {
        long place = from.place();
        long skipped = from.skippedBytes();
        while (place != rows.end()) {
            try (PartitionRows.Group group = rows.group(place)) {
                if (group.rows() > 0) {
                    IpcMessage message = writer.recordBatch(group.columns(), group.rows());
                    long left = message.bytes() - skipped;
                    if (left > out.room() && !out.isEmpty()) {
                        return new Position(place, skipped);
                    }
                    long taken = Math.min(left, Math.max(out.room(), PAGE_BYTES));
                    out.add(message, skipped, Math.toIntExact(taken));
                    if (taken < left) {
                        return new Position(place, skipped + taken);
                    }
                }
                place = group.end();
                skipped = 0;
            }
        }
        return new Position(place, 0);
    }

    /** Bytes of one page. */
    private static final class Output {
        private byte[] bytes = new byte[64 << 10];
        private int size;

        boolean isEmpty() {
            return size == 0;
        }

        int room() {
            return Math.max(0, PAGE_BYTES - size);
        }

        void add(byte[] more) {
            reserve(more.length);
            System.arraycopy(more, 0, bytes, size, more.length);
            size += more.length;
        }

        void add(IpcMessage message, long from, int length) {
            reserve(length);
            message.copyTo(from, MemorySegment.ofArray(bytes).asSlice(size, length));
            size += length;
        }

        private void reserve(int more) {
            if (size + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
            }
        }

        byte[] toArray() {
            return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
        }
    }
}
