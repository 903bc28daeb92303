package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Run-end encoded: rows that follow each other in one run of the source stay one run, others start a new one. */
final class RunEndAppender extends ColumnAppender {
    private final int width;
    private final long limit;
    private final IntList ends = new IntList();
    /** The run of the source, per run of the block. */
    private final IntList runs = new IntList();

    private final ColumnAppender values;
    private @Nullable Column lastValues;
    private long rows;
    private int passedOn;

    RunEndAppender(DataType.RunEnd type) {
        super(type);
        this.width = type.endWidthBytes();
        this.limit = Math.min(Integers.max(width, true), IntList.MAX_SIZE);
        this.values = of(type.values());
    }

    @Override
    long rows() {
        return rows;
    }

    @Override
    void reset() {
        ends.clear();
        runs.clear();
        values.reset();
        lastValues = null;
        rows = 0;
        passedOn = 0;
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        checkBounds(source, to - from);
        MemorySegment bounds = bounds(source);
        long count = source.children().getFirst().rows();
        Column sourceValues = source.children().get(1);
        long run = -1;
        long start = 0;
        long end = 0;
        for (int i = from; i < to; i++) {
            long row = order[i];
            if (row < start || row >= end) {
                run = run >= 0 && row >= end && run + 1 < count && row < end(bounds, run + 1)
                        ? run + 1
                        : find(bounds, count, row);
                start = run == 0 ? 0 : end(bounds, run - 1);
                end = end(bounds, run);
            }
            append(sourceValues, run, 1);
        }
        passOn(sourceValues);
    }

    @Override
    void addRange(Column source, long start, long count) {
        checkBounds(source, count);
        MemorySegment bounds = bounds(source);
        long all = source.children().getFirst().rows();
        Column sourceValues = source.children().get(1);
        long row = start;
        long stop = start + count;
        for (long run = find(bounds, all, row); row < stop; run++) {
            if (run == all) {
                throw corrupt("runs that end before row", row);
            }
            long next = Math.min(stop, end(bounds, run));
            if (next <= row) {
                throw corrupt("a run that does not grow at row", row);
            }
            append(sourceValues, run, next - row);
            row = next;
        }
        passOn(sourceValues);
    }

    private void checkBounds(Column source, long count) {
        check(source);
        if (source.children().getFirst().rows() > IntList.MAX_SIZE) {
            throw tooLarge("a run number", source.children().getFirst().rows(), IntList.MAX_SIZE);
        }
        if (count > limit - rows) {
            throw tooLarge("a run end", rows + count, limit);
        }
    }

    // Whether it is the same source, not whether it has equal values.
    @SuppressWarnings("ReferenceEquality")
    private void append(Column sourceValues, long run, long count) {
        rows += count;
        int last = runs.size() - 1;
        if (last >= 0 && sourceValues == lastValues && runs.get(last) == run) {
            ends.set(last, (int) rows);
        } else {
            runs.add((int) run);
            ends.add((int) rows);
            lastValues = sourceValues;
        }
    }

    private void passOn(Column sourceValues) {
        if (runs.size() > passedOn) {
            values.addRows(sourceValues, runs.array(), passedOn, runs.size());
            passedOn = runs.size();
        }
    }

    private static MemorySegment bounds(Column source) {
        return source.children().getFirst().buffers().getFirst();
    }

    private long end(MemorySegment bounds, long run) {
        return Integers.get(bounds, width, true, run);
    }

    /** The run that the row lies in. */
    private long find(MemorySegment bounds, long count, long row) {
        long low = 0;
        long high = count;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (end(bounds, middle) > row) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        if (low == count) {
            throw corrupt("runs that end before row", row);
        }
        return low;
    }

    @Override
    boolean fits(Column source, long start, long count) {
        if (count > limit - rows) {
            return false;
        }
        MemorySegment bounds = bounds(source);
        long all = source.children().getFirst().rows();
        long first = find(bounds, all, start);
        long last = find(bounds, all, start + count - 1);
        return values.fits(source.children().get(1), first, last - first + 1);
    }

    @Override
    long bytes() {
        return LittleEndian.pad8((long) ends.size() * width) + values.bytes();
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows);
        out.column(ends.size());
        out.place(0);
        MemorySegment target = out.target();
        long at = out.place((long) ends.size() * width);
        for (int i = 0; i < ends.size(); i++) {
            Integers.set(target, at + (long) i * width, width, ends.get(i));
        }
        values.write(out);
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.RunEnd run && run.endWidthBytes() == width;
    }
}
