package dev.headrace.partition;

import dev.headrace.table.Column;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Places of strings and bytes, compared as unsigned bytes: behind what all landmarks begin with, the next 8 bytes as a
 * word lead to the few landmarks that go on the same way, and only those are looked at to the end.
 */
final class BytesPlaces implements Places {
    private final long[] prefixes;
    private final MemorySegment[] landmarks;
    private final long common;
    private final SortBytes value = new SortBytes();

    BytesPlaces(Landmarks landmarks) {
        this.landmarks =
                Arrays.stream(landmarks.bytes()).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
        this.common = common(this.landmarks);
        this.prefixes = Arrays.stream(this.landmarks)
                .mapToLong(bytes -> prefix(bytes, common, bytes.byteSize() - common))
                .toArray();
    }

    /** How many bytes all of the sorted landmarks have in common: those of the first and the last. */
    private static long common(MemorySegment[] landmarks) {
        if (landmarks.length < 2) {
            return 0;
        }
        return landmarks[0].mismatch(landmarks[landmarks.length - 1]);
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
        if (common > 0) {
            long shared = Math.min(common, length);
            long at = MemorySegment.mismatch(landmarks[0], 0, common, data, offset, offset + shared);
            if (at >= 0) {
                return at == shared || compareAt(at, landmarks[0], data, offset) > 0 ? 0 : 2 * landmarks.length;
            }
        }
        long prefix = prefix(data, offset + common, length - common);
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
        return compareAt(at, landmark, data, offset);
    }

    private static int compareAt(long at, MemorySegment landmark, MemorySegment data, long offset) {
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
