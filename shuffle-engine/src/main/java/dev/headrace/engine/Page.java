package dev.headrace.engine;

import java.util.Arrays;

/**
 * A byte range of a partition's Arrow IPC stream; the array is the receiver's.
 *
 * @param array holds the range; what is before and behind it means nothing, and is room for a header
 * @param from where the range begins in the array
 * @param length its bytes, which follow those of the page before
 * @param last whether the stream ends here
 */
public record Page(byte[] array, int from, int length, boolean last) {

    /** The bytes of the range alone. */
    public byte[] bytes() {
        return from == 0 && length == array.length ? array : Arrays.copyOfRange(array, from, from + length);
    }
}
