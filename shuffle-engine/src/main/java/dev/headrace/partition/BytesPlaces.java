package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Places of strings and bytes, compared as unsigned bytes: their first 8 bytes as a word lead to the few landmarks that
 * begin the same way, and only those are looked at to the end.
 */
final class BytesPlaces implements Places {
    private final long[] prefixes;
    private final MemorySegment[] landmarks;
    private final SortBytes value = new SortBytes();

    BytesPlaces(Landmarks landmarks) {
        this.landmarks =
                Arrays.stream(landmarks.bytes()).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
        this.prefixes = Arrays.stream(this.landmarks)
                .mapToLong(bytes -> prefix(bytes, 0, bytes.byteSize()))
                .toArray();
    }

    @Override
    public void read(Column column, long from, int rows, int[] places) {
        for (int i = 0; i < rows; i++) {
            if (column.isValid(from + i)) {
                value.find(column, from + i);
                places[i] = place(value.data(), value.offset(), value.length());
            } else {
                places[i] = NULL;
            }
        }
    }

    private int place(MemorySegment data, long offset, long length) {
        long prefix = prefix(data, offset, length);
        int high = Places.countAtMost(prefixes, prefix);
        if (high == 0 || prefixes[high - 1] != prefix) {
            return 2 * high;
        }
        int low = prefix == Long.MIN_VALUE ? 0 : Places.countAtMost(prefixes, prefix - 1);
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = compare(landmarks[middle], data, offset, length);
            if (order == 0) {
                return 2 * middle + 1;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return 2 * low;
    }

    private static int compare(MemorySegment landmark, MemorySegment data, long offset, long length) {
        long at = MemorySegment.mismatch(landmark, 0, landmark.byteSize(), data, offset, offset + length);
        if (at < 0) {
            return 0;
        }
        if (at >= landmark.byteSize() || at >= length) {
            return Long.compare(landmark.byteSize(), length);
        }
        return Byte.compareUnsigned(
                landmark.get(ValueLayout.JAVA_BYTE, at), data.get(ValueLayout.JAVA_BYTE, offset + at));
    }

    /** The first 8 bytes, zeros behind the end, as a signed word in the order of the bytes. */
    private static long prefix(MemorySegment data, long offset, long length) {
        if (length >= 8) {
            return Long.reverseBytes(data.get(Words.LONG, offset)) ^ Long.MIN_VALUE;
        }
        long word = 0;
        for (long i = 0; i < 8; i++) {
            word = word << 8 | (i < length ? data.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFFL : 0);
        }
        return word ^ Long.MIN_VALUE;
    }
}
