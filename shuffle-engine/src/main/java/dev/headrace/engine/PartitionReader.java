package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * The Arrow IPC stream of one complete partition, page by page. It remembers where each page begins, so that the same
 * page has the same bytes however often it is fetched, and holds no data between calls. Thread-safe: one page at a
 * time.
 */
final class PartitionReader {
    private final PartitionRows rows;
    private final IpcWriter writer;
    private final List<Position> starts = new ArrayList<>(List.of(new Position(0, 0)));

    PartitionReader(PartitionRows rows, Schema schema) {
        this.rows = rows;
        this.writer = new IpcWriter(schema);
    }

    /** A byte of the record batch that begins at a place. */
    private record Position(long place, long skippedBytes) {}

    /** The page, behind that many bytes of its array that are the caller's. */
    synchronized Page page(int number, int head) {
        if (number < 0 || number >= starts.size()) {
            throw HeadraceException.invalidInput(
                    "page " + number + " can't be fetched before page " + (starts.size() - 1));
        }
        PageBytes out = new PageBytes(head, number > 0);
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
        return out.toPage(last);
    }

    /** Adds record batches as long as they fit, and gives the position of the next page. */
    private Position fill(PageBytes out, Position from) {
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
                    long taken = Math.min(left, Math.max(out.room(), PageBytes.PAGE_BYTES));
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
}
