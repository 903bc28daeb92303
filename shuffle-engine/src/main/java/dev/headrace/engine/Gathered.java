package dev.headrace.engine;

import dev.headrace.exchange.PlannedEntry;
import dev.headrace.pack.Block;
import dev.headrace.pack.BlockBuilder;
import dev.headrace.pack.Layout;
import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a selection brought together, so that any of them can be taken in any order: first copied as they lie,
 * block after block, so that few blocks are in memory at a time, then from there in the order that is asked for. One
 * thread.
 */
final class Gathered {
    private static final long READ_BYTES = EngineConfig.SLAB_BYTES / 2;
    private static final long COPY_BYTES = EngineConfig.SLAB_BYTES * 7L / 8;

    private final Selection selection;
    private final Assembler assembler;
    private final Layout layout;
    private final Held copies;
    private final BlockBuilder builder;
    private final List<List<Column>> sources = new ArrayList<>();

    /** For each selected row the source (high half) and the row in it, or the entry as a negative number. */
    private final long[] where;

    private MemorySegment free = MemorySegment.NULL;

    /** @param copies gives the memory of the copies back */
    Gathered(Selection selection, Assembler assembler, Layout layout, Held copies) {
        this.selection = selection;
        this.assembler = assembler;
        this.layout = layout;
        this.copies = copies;
        this.builder = new BlockBuilder(layout);
        this.where = new long[selection.count()];
        try (BlockLoader loader = assembler.loader()) {
            copyEntries(loader);
        }
        if (sources.size() > 1) {
            joinSources();
        }
    }

    private void copyEntries(BlockLoader loader) {
        long bytes = 0;
        for (int number = 0; number < selection.entries().size(); number++) {
            PlannedEntry entry = selection.entries().get(number);
            int from = selection.start(number);
            int count = selection.start(number + 1) - from;
            if (count == 0) {
                continue;
            }
            if (Selection.isAlone(entry)) {
                where[from] = -1L - number;
                continue;
            }
            long entryBytes = entry.estimatedBytes() * count / entry.rows();
            boolean full = bytes + entryBytes > COPY_BYTES || loader.loadedBytes() > READ_BYTES;
            if (builder.rows() > 0
                    && (full || !builder.fitsRange(columns(loader, entry), entry.start(), entry.rows()))) {
                copy(loader);
                bytes = 0;
            }
            for (int i = 0; i < count; i++) {
                where[from + i] = (long) sources.size() << 32 | (builder.rows() + i);
            }
            if (count == entry.rows()) {
                builder.addRange(columns(loader, entry), entry.start(), count);
            } else {
                builder.addRows(columns(loader, entry), selection.rows(), from, from + count);
            }
            bytes += entryBytes;
        }
        if (builder.rows() > 0) {
            copy(loader);
        }
    }

    private static List<Column> columns(BlockLoader loader, PlannedEntry entry) {
        return loader.load(entry.stored()).columns();
    }

    private void copy(BlockLoader loader) {
        builder.addEntry(0, 0, 0, 0, Math.toIntExact(builder.rows()));
        long bytes = builder.bytes();
        if (bytes > free.byteSize()) {
            free = assembler.memory(bytes, copies);
        }
        builder.write(free.asSlice(0, bytes));
        sources.add(Block.read(layout, free).columns());
        free = free.asSlice(bytes);
        builder.reset();
        loader.close();
    }

    /** Makes one source of all, so that rows can be taken many at a time, unless they don't fit one. */
    private void joinSources() {
        long[] starts = new long[sources.size()];
        for (int i = 0; i < starts.length; i++) {
            List<Column> source = sources.get(i);
            long rows = source.isEmpty() ? rowsOf(i) : source.getFirst().rows();
            if (i > 0 && !builder.fitsRange(source, 0, rows)) {
                builder.reset();
                return;
            }
            starts[i] = builder.rows();
            builder.addRange(source, 0, rows);
        }
        builder.addEntry(0, 0, 0, 0, Math.toIntExact(builder.rows()));
        List<Column> joined = assembler.write(builder, copies).columns();
        builder.reset();
        sources.clear();
        sources.add(joined);
        for (int i = 0; i < where.length; i++) {
            if (where[i] >= 0) {
                where[i] = starts[(int) (where[i] >>> 32)] + (int) where[i];
            }
        }
    }

    private long rowsOf(int source) {
        long rows = 0;
        for (long place : where) {
            rows += place >= 0 && place >>> 32 == source ? 1 : 0;
        }
        return rows;
    }

    /**
     * Rows {@code order[from]} and those after it as columns, as many as can be together in a record batch.
     *
     * @param held gives the memory of the columns back
     */
    Taken take(int[] order, int from, Held held) {
        if (where[order[from]] < 0) {
            return new Taken(alone(selection.entries().get((int) (-1 - where[order[from]])), held), 1);
        }
        int end = from;
        while (end < order.length && where[order[end]] >= 0) {
            end++;
        }
        int taken = sources.size() == 1 ? addFromOne(order, from, end) : addFromMany(order, from, end);
        builder.addEntry(0, 0, 0, 0, taken);
        return new Taken(assembler.write(builder, held).columns(), taken);
    }

    /** Columns, and how many rows they have. */
    record Taken(List<Column> columns, int rows) {}

    private List<Column> alone(PlannedEntry entry, Held held) {
        Block block = held.add(assembler.loader()).load(entry.stored());
        if (block.layout().fingerprint() == layout.fingerprint()) {
            return block.columns();
        }
        builder.addRange(block.columns(), 0, 1);
        builder.addEntry(0, 0, 0, 0, 1);
        return assembler.write(builder, held).columns();
    }

    private int addFromOne(int[] order, int from, int end) {
        int[] rows = new int[end - from];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (int) where[order[from + i]];
        }
        builder.addRows(sources.getFirst(), rows, 0, rows.length);
        return rows.length;
    }

    private int addFromMany(int[] order, int from, int end) {
        int at = from;
        for (; at < end; at++) {
            List<Column> source = sources.get((int) (where[order[at]] >>> 32));
            int row = (int) where[order[at]];
            if (at > from && !builder.fitsRange(source, row, 1)) {
                break;
            }
            builder.addRange(source, row, 1);
        }
        return at - from;
    }
}
