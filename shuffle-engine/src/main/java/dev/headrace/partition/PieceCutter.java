package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;
import java.util.List;

/**
 * Says where a chunk is cut into pieces and an owner's rows into blocks, by the bytes that the rows cost when packed.
 * The cuts depend on the rows alone, never on a limit, a device or free memory, so that a replay cuts at the same
 * places. Keeps scratch space: one thread at a time.
 */
public final class PieceCutter {
    /** The most bytes in a piece of more than one row. */
    public static final long PIECE_BYTES = 4L << 20;

    /** The most rows in a piece. */
    public static final int PIECE_ROWS = 65_536;

    /** The most bytes in a block of more than one row. */
    public static final long BLOCK_BYTES = 240L << 10;

    /** Rows are measured in growing steps: few in vain when rows are large, many at a time when they are small. */
    private static final int FIRST_STEP_ROWS = 4;

    private static final int MAX_STEP_ROWS = 1_024;

    private final Gauge[] gauges;
    private final boolean varies;
    private final long fixedBytes;
    private final long fixedBits;
    private final long[] rowBytes = new long[PIECE_ROWS];
    private final long[] bits = new long[MAX_STEP_ROWS];
    private long firstRow;

    /** @param types the types of all columns of a chunk */
    public PieceCutter(List<DataType> types) {
        gauges = types.stream().map(Gauge::of).toArray(Gauge[]::new);
        varies = Arrays.stream(gauges).anyMatch(Gauge::varies);
        fixedBits = Gauge.fixedBits(Arrays.asList(gauges));
        fixedBytes = bytes(fixedBits);
        Arrays.fill(rowBytes, fixedBytes);
    }

    /**
     * How many rows the piece has that starts at row {@code fromRow} of a chunk: at least 1.
     *
     * @param rows how many rows the chunk has from {@code fromRow} on, at least 1
     */
    public int nextPiece(List<Column> columns, long fromRow, long rows) {
        firstRow = fromRow;
        int most = (int) Math.min(rows, PIECE_ROWS);
        if (!varies) {
            return fixedBytes == 0 ? most : Math.clamp(PIECE_BYTES / fixedBytes, 1, most);
        }
        long total = 0;
        int at = 0;
        int step = FIRST_STEP_ROWS;
        while (at < most) {
            int end = Math.min(most, at + step);
            measure(columns, fromRow + at, end - at, at);
            for (; at < end; at++) {
                total += rowBytes[at];
                if (total > PIECE_BYTES && at > 0) {
                    return at;
                }
            }
            step = Math.min(4 * step, MAX_STEP_ROWS);
        }
        return most;
    }

    /**
     * The bytes of each row of the last piece, the first row of the piece first: the array itself, valid until the next
     * call of {@link #nextPiece}.
     */
    public long[] rowBytes() {
        return rowBytes;
    }

    /**
     * Where the block ends that starts at {@code from}: the rows {@code order[from]} to {@code order[end - 1]} fit, or
     * are a single row.
     *
     * @param order row numbers of the chunk, all in the last piece
     * @param to the end of the owner's rows, more than {@code from}
     */
    public int blockEnd(int[] order, int from, int to) {
        if (!varies) {
            return fixedBytes == 0 ? to : (int) Math.min(to, from + Math.max(1, BLOCK_BYTES / fixedBytes));
        }
        long total = rowBytes[(int) (order[from] - firstRow)];
        int end = from + 1;
        while (end < to) {
            total += rowBytes[(int) (order[end] - firstRow)];
            if (total > BLOCK_BYTES) {
                break;
            }
            end++;
        }
        return end;
    }

    private void measure(List<Column> columns, long row, int rows, int at) {
        Arrays.fill(bits, 0, rows, fixedBits);
        for (int i = 0; i < gauges.length; i++) {
            if (gauges[i].varies()) {
                gauges[i].add(columns.get(i), row, rows, bits);
            }
        }
        for (int i = 0; i < rows; i++) {
            rowBytes[at + i] = bytes(bits[i]);
        }
    }

    private static long bytes(long bits) {
        return (bits + 7) >>> 3;
    }
}
