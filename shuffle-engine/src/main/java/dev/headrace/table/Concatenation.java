package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Puts checked columns of one type one after the other in scratch memory, as a dictionary that comes in parts needs it.
 * Data buffers of views stay where they are.
 */
final class Concatenation {
    /** Far more than any buffer has, so that sizes in bytes don't overflow. */
    private static final long MOST_ROWS = 1L << 56;

    private final Scratch scratch;

    /** Rows of a column from {@code start} on: a list uses some of its items, whatever lies before and behind them. */
    private record Range(Column column, long start, long rows) {

        static Range all(Column column) {
            return new Range(column, 0, column.rows());
        }

        long offset(boolean large, long row) {
            return rows == 0 ? 0 : Words.offset(column.buffers().getFirst(), large, start + row);
        }

        MemorySegment words(int buffer, int widthBytes) {
            return column.buffers().get(buffer).asSlice(start * widthBytes, rows * widthBytes);
        }
    }

    Concatenation(Scratch scratch) {
        this.scratch = scratch;
    }

    /** @param parts at least one */
    Column of(List<Column> parts) {
        return ofRanges(parts.stream().map(Range::all).toList());
    }

    private Column ofRanges(List<Range> parts) {
        DataType type = parts.getFirst().column().type();
        long rows = parts.stream().mapToLong(Range::rows).sum();
        requireReach(rows < 0 ? Long.MAX_VALUE : rows, MOST_ROWS);
        boolean anyNull = parts.stream().anyMatch(part -> part.column().validity() != null);
        MemorySegment validity = anyNull ? bits(parts, rows, Column::validity) : null;
        return new Column(type, rows, validity, buffers(parts, rows), children(parts, rows));
    }

    private List<MemorySegment> buffers(List<Range> parts, long rows) {
        return switch (parts.getFirst().column().type()) {
            case DataType.Null _, DataType.FixedList _, DataType.Struct _, DataType.RunEnd _ -> List.of();
            case DataType.Bool _ ->
                List.of(bits(parts, rows, part -> part.buffers().getFirst()));
            case DataType.Fixed fixed -> List.of(words(parts, 0, fixed.widthBytes()));
            case DataType.Dictionary dictionary ->
                List.of(words(parts, 0, dictionary.index().widthBytes()));
            case DataType.Binary binary -> List.of(offsets(parts, rows, binary.large()), data(parts, binary.large()));
            case DataType.Varied list -> List.of(offsets(parts, rows, list.large()));
            case DataType.ListView list -> listViews(parts, list.large());
            case DataType.View _ -> views(parts);
            case DataType.Union union -> unions(parts, union);
        };
    }

    /** Bits of all parts; a part without the buffer has ones. */
    private MemorySegment bits(List<Range> parts, long rows, Function<Column, @Nullable MemorySegment> buffer) {
        MemorySegment target = scratch.take(Validity.bytes(rows)).fill((byte) 0);
        long row = 0;
        for (Range part : parts) {
            MemorySegment source = buffer.apply(part.column());
            for (long i = 0; i < part.rows(); i++, row++) {
                if (source == null || Column.bit(source, part.start() + i)) {
                    Words.setBit(target, row);
                }
            }
        }
        return target;
    }

    private MemorySegment words(List<Range> parts, int buffer, int widthBytes) {
        return joined(parts, part -> part.words(buffer, widthBytes));
    }

    private MemorySegment joined(List<Range> parts, Function<Range, MemorySegment> buffer) {
        List<MemorySegment> sources = parts.stream().map(buffer).toList();
        MemorySegment target =
                scratch.take(sources.stream().mapToLong(MemorySegment::byteSize).sum());
        long position = 0;
        for (MemorySegment source : sources) {
            MemorySegment.copy(source, 0, target, position, source.byteSize());
            position += source.byteSize();
        }
        return target;
    }

    private MemorySegment data(List<Range> parts, boolean large) {
        return joined(parts, part -> {
            long first = part.offset(large, 0);
            return part.column().buffers().get(1).asSlice(first, part.offset(large, part.rows()) - first);
        });
    }

    private MemorySegment offsets(List<Range> parts, long rows, boolean large) {
        int width = Words.offsetBytes(large);
        MemorySegment target = scratch.take((rows + 1) * width);
        Words.put(target, width, 0, 0);
        long base = 0;
        long row = 1;
        for (Range part : parts) {
            long shift = base - part.offset(large, 0);
            for (long i = 1; i <= part.rows(); i++) {
                Words.put(target, width, row++, shift + part.offset(large, i));
            }
            base = fitting(shift + part.offset(large, part.rows()), width);
        }
        return target;
    }

    private static long fitting(long value, int widthBytes) {
        requireReach(value, (1L << (8 * widthBytes - 1)) - 1);
        return value;
    }

    private static void requireReach(long value, long limit) {
        if (value > limit) {
            throw HeadraceException.invalidInput("the parts of a delta dictionary have " + value
                    + " bytes or rows in all, more than the " + limit + " that its type can reach");
        }
    }

    /** The items stay whole, so each part's offsets move by the items before it. */
    private List<MemorySegment> listViews(List<Range> parts, boolean large) {
        int width = Words.offsetBytes(large);
        MemorySegment offsets = words(parts, 0, width);
        long base = 0;
        long row = 0;
        for (Range part : parts) {
            for (long i = 0; i < part.rows(); i++, row++) {
                Words.put(offsets, width, row, base + Words.signed(offsets, width, row));
            }
            base = fitting(base + part.column().children().getFirst().rows(), width);
        }
        return List.of(offsets, words(parts, 1, width));
    }

    private List<MemorySegment> views(List<Range> parts) {
        List<MemorySegment> buffers = new ArrayList<>();
        MemorySegment views = words(parts, 0, 16);
        buffers.add(views);
        long row = 0;
        for (Range part : parts) {
            for (long i = 0; i < part.rows(); i++, row++) {
                if (views.get(Words.INT, row << 4) > 12) {
                    long at = (row << 4) + 8;
                    views.set(Words.INT, at, views.get(Words.INT, at) + buffers.size() - 1);
                }
            }
            List<MemorySegment> own = part.column().buffers();
            buffers.addAll(own.subList(1, own.size()));
        }
        return buffers;
    }

    private List<MemorySegment> unions(List<Range> parts, DataType.Union type) {
        MemorySegment codes = words(parts, 0, 1);
        if (!type.dense()) {
            return List.of(codes);
        }
        MemorySegment offsets = words(parts, 1, 4);
        long[] bases = new long[Byte.MAX_VALUE + 1];
        long row = 0;
        for (Range part : parts) {
            for (long i = 0; i < part.rows(); i++, row++) {
                long base = bases[codes.get(ValueLayout.JAVA_BYTE, row)];
                Words.put(offsets, 4, row, fitting(base + Words.signed(offsets, 4, row), 4));
            }
            for (int i = 0; i < type.codes().size(); i++) {
                bases[type.codes().get(i)] += part.column().children().get(i).rows();
            }
        }
        return List.of(codes, offsets);
    }

    private List<Column> children(List<Range> parts, long rows) {
        Column last = parts.getLast().column();
        return switch (last.type()) {
            // All parts were read with the inner dictionary as it stands now, so their indices mean the same.
            case DataType.Dictionary _ -> last.children();
            case DataType.RunEnd runs -> runs(parts, rows, runs.endWidthBytes());
            case DataType.Varied list ->
                eachChild(parts, part -> part.offset(list.large(), 0), part -> part.offset(list.large(), part.rows()));
            case DataType.FixedList list ->
                eachChild(
                        parts, part -> part.start() * list.size(), part -> (part.start() + part.rows()) * list.size());
            case DataType.Union union when union.dense() -> wholeChildren(parts);
            case DataType.ListView _ -> wholeChildren(parts);
            default -> eachChild(parts, Range::start, part -> part.start() + part.rows());
        };
    }

    private List<Column> wholeChildren(List<Range> parts) {
        List<Column> children = new ArrayList<>();
        for (int i = 0; i < parts.getFirst().column().children().size(); i++) {
            int child = i;
            children.add(of(parts.stream()
                    .map(part -> part.column().children().get(child))
                    .toList()));
        }
        return children;
    }

    private List<Column> eachChild(List<Range> parts, ToLongFunction<Range> start, ToLongFunction<Range> end) {
        List<Column> children = new ArrayList<>();
        for (int i = 0; i < parts.getFirst().column().children().size(); i++) {
            int child = i;
            children.add(ofRanges(parts.stream()
                    .map(part -> new Range(
                            part.column().children().get(child),
                            start.applyAsLong(part),
                            end.applyAsLong(part) - start.applyAsLong(part)))
                    .toList()));
        }
        return children;
    }

    private List<Column> runs(List<Range> parts, long rows, int width) {
        List<Range> values = new ArrayList<>();
        List<Long> newEnds = new ArrayList<>();
        long base = 0;
        for (Range part : parts) {
            Column ends = part.column().children().getFirst();
            long run = 0;
            while (part.rows() > 0 && Words.signed(ends.buffers().getFirst(), width, run) <= part.start()) {
                run++;
            }
            long firstRun = run;
            for (long covered = 0; covered < part.rows(); run++) {
                covered = Math.min(part.rows(), Words.signed(ends.buffers().getFirst(), width, run) - part.start());
                newEnds.add(base + covered);
            }
            values.add(new Range(part.column().children().get(1), firstRun, run - firstRun));
            base += part.rows();
        }
        fitting(rows, width);
        MemorySegment target = scratch.take((long) newEnds.size() * width);
        for (int i = 0; i < newEnds.size(); i++) {
            Words.put(target, width, i, newEnds.get(i));
        }
        DataType endType = parts.getFirst().column().children().getFirst().type();
        return List.of(new Column(endType, newEnds.size(), null, List.of(target), List.of()), ofRanges(values));
    }
}
