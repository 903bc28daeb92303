package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Inbox;
import dev.headrace.exchange.PartitionPlan;
import dev.headrace.pack.Layout;
import dev.headrace.table.IpcMessage;
import dev.headrace.table.IpcWriter;
import dev.headrace.table.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The Arrow IPC stream of one complete partition, page by page. It remembers where each page begins, so that the same
 * page has the same bytes however often it is fetched, and holds no data between calls. Thread-safe: one page at a
 * time.
 */
final class PartitionReader {
    /** A page ends when the next record batch would take it over this; only a single larger one is cut. */
    private static final int PAGE_BYTES = 8 << 20;

    private final int partition;
    private final Inbox inbox;
    private final Assembler assembler;
    private final Layout layout;
    private final IpcWriter writer;
    private final List<Position> starts = new ArrayList<>(List.of(new Position(0, 0)));
    private PartitionPlan plan;

    PartitionReader(int partition, Inbox inbox, Assembler assembler, Schema schema) {
        this.partition = partition;
        this.inbox = inbox;
        this.assembler = assembler;
        this.layout = Layout.of(schema.types());
        this.writer = new IpcWriter(schema);
        this.plan = inbox.plan(partition);
    }

    /** A byte of the record batch that begins with an entry. */
    private record Position(int entry, long skippedBytes) {}

    synchronized Page page(int number) {
        inbox.checkFetchable(partition);
        if (number < 0 || number >= starts.size()) {
            throw HeadraceException.invalidInput("page " + number + " of partition " + partition
                    + " can't be fetched before page " + (starts.size() - 1));
        }
        Output out = new Output();
        if (number == 0) {
            out.add(writer.schemaMessage());
        }
        Position next = fill(out, starts.get(number));
        boolean last = next.entry() == plan.entries().size();
        if (last) {
            out.add(writer.endOfStream());
        } else if (number == starts.size() - 1) {
            starts.add(next);
        }
        return new Page(out.toArray(), last);
    }

    /** Adds record batches as long as they fit, and gives the position of the next page. */
    private Position fill(Output out, Position from) {
        int entry = from.entry();
        long skipped = from.skippedBytes();
        while (entry < plan.entries().size()) {
            try (Assembler.Group group = assemble(entry)) {
                IpcMessage message = writer.recordBatch(group.columns(), group.rows());
                long left = message.bytes() - skipped;
                if (left > out.room() && !out.isEmpty()) {
                    return new Position(entry, skipped);
                }
                long taken = Math.min(left, Math.max(out.room(), PAGE_BYTES));
                out.add(message, skipped, Math.toIntExact(taken));
                if (taken < left) {
                    return new Position(entry, skipped + taken);
                }
                entry = group.end();
                skipped = 0;
            }
        }
        return new Position(entry, 0);
    }

    private Assembler.Group assemble(int entry) {
        while (true) {
            Optional<Assembler.Group> group = assembler.assemble(inbox, plan, entry, layout);
            if (group.isPresent()) {
                return group.get();
            }
            plan = inbox.plan(partition);
        }
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
