package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;

/** Places of decimals of 16 or 32 bytes: nearly all values fit one word; the others take the slow road. */
final class WideDecimalPlaces implements Places {
    private final int widthBytes;
    private final long[] narrow;
    private final int before;
    private final List<BigInteger> landmarks;

    WideDecimalPlaces(int widthBytes, Landmarks landmarks) {
        this.widthBytes = widthBytes;
        this.narrow = landmarks.words();
        this.before = 2 * landmarks.before();
        this.landmarks = landmarks.decimals();
    }

    @Override
    public void read(Column column, long from, int rows, int[] places) {
        MemorySegment values = column.buffers().getFirst();
        for (int i = 0; i < rows; i++) {
            long row = from + i;
            if (!column.isValid(row)) {
                places[i] = NULL;
            } else if (fitsWord(values, row * widthBytes)) {
                places[i] = before + Places.place(narrow, values.get(Words.LONG, row * widthBytes));
            } else {
                int found = Collections.binarySearch(landmarks, Landmarks.decimal(values, row, widthBytes));
                places[i] = found >= 0 ? 2 * found + 1 : 2 * (-found - 1);
            }
        }
    }

    private boolean fitsWord(MemorySegment values, long offset) {
        long sign = values.get(Words.LONG, offset) >> 63;
        boolean fits = values.get(Words.LONG, offset + 8) == sign;
        return widthBytes == 16
                ? fits
                : fits && values.get(Words.LONG, offset + 16) == sign && values.get(Words.LONG, offset + 24) == sign;
    }
}
