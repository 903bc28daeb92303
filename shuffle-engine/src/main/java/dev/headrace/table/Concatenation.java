package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts checked columns of one type one after the other, in scratch memory. Dictionaries inside them must be the same in
 * all parts; data buffers of views stay where they are.
 */
final class Concatenation {
    /** Far more than any buffer has, so that sizes in bytes don't overflow. */
    private static final long MOST_ROWS = 1L << 56;

    private final Scratch scratch;

    Concatenation(Scratch scratch) {
        this.scratch = scratch;
    }

    Column of(List<Column> parts) {
        DataType type = parts.getFirst().type();
        long rows = parts.stream().mapToLong(Column::rows).sum();
        requireReach(rows < 0 ? Long.MAX_VALUE : rows, MOST_ROWS);
        MemorySegment validity =
                parts.stream().allMatch(part -> part.validity() == null) ? null : bits(parts, -1, rows);
        return new Column(type, rows, validity, buffers(type, parts, rows), children(type, parts));
    }

    private List<MemorySegment> buffers(DataType type, List<Column> parts, long rows) {
        return switch (type) {
            case DataType.Bool _ -> List.of(bits(parts, 0, rows));
            case DataType.Fixed fixed -> List.of(words(parts, 0, fixed.widthBytes(), rows));
            case DataType.Dictionary dictionary ->
                List.of(words(parts, 0, dictionary.index().widthBytes(), rows));
            case DataType.Binary binary -> {
                MemorySegment data =
                        bytes(parts.stream().map(part -> part.buffers().get(1)).toList());
                long[] lengths = parts.stream()
                        .mapToLong(part -> part.buffers().get(1).byteSize())
                        .toArray();
                yield List.of(offsets(parts, lengths, binary.large(), rows, true), data);
            }
            case DataType.View _ -> views(parts, rows);
            case DataType.Varied list -> List.of(offsets(parts, itemRows(parts), list.large(), rows, true));
            case DataType.ListView list ->
                List.of(
                        offsets(parts, itemRows(parts), list.large(), rows, false),
                        words(parts, 1, Words.offsetBytes(list.large()), rows));
            case DataType.Union union -> {
                MemorySegment codes = words(parts, 0, 1, rows);
                yield union.dense() ? List.of(codes, places(parts, union, rows)) : List.of(codes);
            }
            case DataType.Null _, DataType.FixedList _, DataType.Struct _, DataType.RunEnd _ -> List.of();
        };
    }

    private List<Column> children(DataType type, List<Column> parts) {
        return switch (type) {
            case DataType.Dictionary _ -> parts.getFirst().children();
            case DataType.RunEnd runs -> runs(parts, runs.endWidthBytes());
            default -> {
                List<Column> children = new ArrayList<>();
                for (int i = 0; i < parts.getFirst().children().size(); i++) {
                    int child = i;
                    children.add(of(parts.stream()
                            .map(part -> part.children().get(child))
                            .toList()));
                }
                yield children;
            }
        };
    }

    private MemorySegment bytes(List<MemorySegment> parts) {
        MemorySegment target =
                scratch.take(parts.stream().mapToLong(MemorySegment::byteSize).sum());
        long at = 0;
        for (MemorySegment part : parts) {
            MemorySegment.copy(part, 0, target, at, part.byteSize());
            at += part.byteSize();
        }
        return target;
    }

    private MemorySegment words(List<Column> parts, int buffer, int widthBytes, long rows) {
        MemorySegment target = scratch.take(rows * widthBytes);
        long at = 0;
        for (Column part : parts) {
            long length = part.rows() * widthBytes;
            MemorySegment.copy(part.buffers().get(buffer), 0, target, at, length);
            at += length;
        }
        return target;
    }

    /** Buffer -1 is validity; where a part has none, all its rows are valid. */
    private MemorySegment bits(List<Column> parts, int buffer, long rows) {
        MemorySegment target = scratch.take(Validity.bytes(rows)).fill((byte) 0);
        long at = 0;
        for (Column part : parts) {
            MemorySegment source = buffer < 0 ? part.validity() : part.buffers().get(buffer);
            for (long row = 0; row < part.rows(); row++, at++) {
                if (source == null || Column.bit(source, row)) {
                    Words.setBit(target, at);
                }
            }
        }
        return target;
    }

    /**
     * Offsets of each part moved behind what the parts before it point into.
     *
     * @param lengths how much each part points into
     * @param closed whether there is an offset behind the last row
     */
    private MemorySegment offsets(List<Column> parts, long[] lengths, boolean large, long rows, boolean closed) {
        if (rows == 0) {
            return MemorySegment.NULL;
        }
        int width = Words.offsetBytes(large);
        MemorySegment target = scratch.take((rows + (closed ? 1 : 0)) * width);
        long base = 0;
        long at = 0;
        for (int i = 0; i < lengths.length; i++) {
            Column part = parts.get(i);
            for (long row = 0; row < part.rows(); row++) {
                Words.put(
                        target, width, at++, base + Words.offset(part.buffers().getFirst(), large, row));
            }
            // The rows of this part end where they end, whatever lies behind them.
            if (closed && part.rows() > 0) {
                long end = base + Words.offset(part.buffers().getFirst(), large, part.rows());
                Words.put(target, width, at, end);
            }
            base = Math.addExact(base, lengths[i]);
            requireReach(base, large ? Long.MAX_VALUE : Integer.MAX_VALUE);
        }
        return target;
    }

    private List<MemorySegment> views(List<Column> parts, long rows) {
        MemorySegment views = words(parts, 0, 16, rows);
        List<MemorySegment> buffers = new ArrayList<>(List.of(views));
        long row = 0;
        for (Column part : parts) {
            int moved = buffers.size() - 1;
            for (long end = row + part.rows(); row < end; row++) {
                if (moved > 0 && views.get(Words.INT, row << 4) > 12) {
                    long at = (row << 4) + 8;
                    views.set(Words.INT, at, views.get(Words.INT, at) + moved);
                }
            }
            buffers.addAll(part.buffers().subList(1, part.buffers().size()));
        }
        return buffers;
    }

    /** The offsets of a dense union, which count on in the child that the row's type code stands for. */
    private MemorySegment places(List<Column> parts, DataType.Union type, long rows) {
        MemorySegment target = words(parts, 1, 4, rows);
        long[] bases = new long[Byte.MAX_VALUE + 1];
        long row = 0;
        for (Column part : parts) {
            for (long i = 0; i < part.rows(); i++, row++) {
                int code = (int) Words.signed(part.buffers().getFirst(), 1, i);
                target.set(Words.INT, row << 2, (int) bases[code] + target.get(Words.INT, row << 2));
            }
            for (int i = 0; i < type.codes().size(); i++) {
                int code = type.codes().get(i);
                bases[code] += part.children().get(i).rows();
                requireReach(bases[code], Integer.MAX_VALUE);
            }
        }
        return target;
    }

    private List<Column> runs(List<Column> parts, int width) {
        List<Column> ends = new ArrayList<>();
        List<Column> values = new ArrayList<>();
        for (Column part : parts) {
            long runs = runsWithin(part, width);
            ends.add(Columns.first(part.children().get(0), runs));
            values.add(Columns.first(part.children().get(1), runs));
        }
        Column joined = of(ends);
        MemorySegment target = joined.buffers().getFirst();
        long base = 0;
        long run = 0;
        for (int i = 0; i < parts.size(); i++) {
            long rows = parts.get(i).rows();
            requireReach(base + rows, (1L << (8 * width - 1)) - 1);
            for (long end = run + ends.get(i).rows(); run < end; run++) {
                Words.put(target, width, run, base + Math.min(rows, Words.signed(target, width, run)));
            }
            base += rows;
        }
        return List.of(joined, of(values));
    }

    /** How many runs the rows of the column use: it may be cut short within them. */
    private static long runsWithin(Column column, int width) {
        if (column.rows() == 0) {
            return 0;
        }
        MemorySegment ends = column.children().getFirst().buffers().getFirst();
        long run = 0;
        while (Words.signed(ends, width, run) < column.rows()) {
            run++;
        }
        return run + 1;
    }

    private static long[] itemRows(List<Column> parts) {
        return parts.stream()
                .mapToLong(part -> part.children().getFirst().rows())
                .toArray();
    }

    private static void requireReach(long value, long limit) {
        if (value > limit) {
            throw HeadraceException.invalidInput("the parts of a delta dictionary have " + value
                    + " bytes or rows in all, more than the " + limit + " that its type can reach");
        }
    }
}
