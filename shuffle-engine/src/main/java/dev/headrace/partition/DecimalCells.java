package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;

/**
 * Cells of decimals: the scale and the words of the unscaled value once trailing zeros are stripped, so that 1.50 of
 * scale 2 is 1.5 of scale 1. Nearly all values fit one word; the others take the slow road through {@link WideDecimal}.
 */
final class DecimalCells implements Cells {
    /** No value of 256 bits has more trailing zeros. */
    private static final int MAX_STRIPPED = 77;

    private final int widthBytes;
    private final long[] starts = new long[MAX_STRIPPED + 1];
    private final long zero = Mixer.mix(Mixer.decimalStart(0));
    private final WideDecimal wide = new WideDecimal();

    DecimalCells(int widthBytes, int scale) {
        this.widthBytes = widthBytes;
        for (int stripped = 0; stripped <= MAX_STRIPPED; stripped++) {
            starts[stripped] = Mixer.decimalStart(scale - stripped);
        }
    }

    @Override
    public void read(Column column, long from, int rows, long[] cells, int at) {
        MemorySegment values = column.buffers().getFirst();
        if (widthBytes <= 8) {
            Words.signed(values, widthBytes, from, rows, cells, at);
            for (int i = at; i < at + rows; i++) {
                cells[i] = narrow(cells[i], 0);
            }
        } else {
            for (int i = 0; i < rows; i++) {
                cells[at + i] = wide(values, (from + i) * widthBytes);
            }
        }
        NullMask.apply(column.validity(), from, rows, cells, at, Mixer.NULL_CELL);
    }

    /** @param stripped zeros that are gone already */
    private long narrow(long unscaled, int stripped) {
        if (unscaled == 0) {
            return zero;
        }
        long value = unscaled;
        int zeros = stripped;
        while ((value & 1) == 0 && value % 10 == 0) {
            value /= 10;
            zeros++;
        }
        return Mixer.mix(starts[zeros] ^ value);
    }

    private long wide(MemorySegment values, long offset) {
        long low = values.get(Words.LONG, offset);
        long high = values.get(Words.LONG, offset + 8);
        boolean narrow = high == low >> 63;
        if (widthBytes == 16) {
            return narrow ? narrow(low, 0) : strip(low, high, high >> 63, high >> 63);
        }
        long third = values.get(Words.LONG, offset + 16);
        long fourth = values.get(Words.LONG, offset + 24);
        narrow &= third == high && fourth == high;
        return narrow ? narrow(low, 0) : strip(low, high, third, fourth);
    }

    private long strip(long first, long second, long third, long fourth) {
        wide.set(first, second, third, fourth);
        int stripped = wide.strip();
        int words = wide.words();
        if (words == 1) {
            return narrow(wide.word(0), stripped);
        }
        long cell = starts[stripped];
        for (int i = 0; i < words; i++) {
            cell = Mixer.mix(cell ^ wide.word(i));
        }
        return cell;
    }
}
