package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A view of the buffers of one Arrow array that starts at row 0; it owns nothing and lives as long as the memory behind
 * it. Readable from any thread.
 *
 * <p>{@code buffers} by type: {@code Fixed}, {@code Bool}: values. {@code Binary}: offsets, data. {@code View}: views,
 * then data buffers. {@code Varied}: offsets. {@code ListView}: offsets, sizes. {@code Union}: type codes, and offsets
 * if dense. {@code Dictionary}: indices, and the dictionary is {@code children[0]}. {@code RunEnd}: none;
 * {@code children} are the run ends and the values. An offsets buffer may have length 0 if {@code rows} is 0.
 *
 * @param validity one bit per row, or null if no row is null; always null for null, union and run-end columns
 */
public record Column(
        DataType type,
        long rows,
        @Nullable MemorySegment validity,
        List<MemorySegment> buffers,
        List<Column> children) {

    /** Whether the row holds a value by this column's own bitmap; says nothing about dictionary or run values. */
    public boolean isValid(long row) {
        return validity == null || bit(validity, row);
    }

    /** Bit {@code index} of an Arrow bitmap: least significant bit first. */
    public static boolean bit(MemorySegment bitmap, long index) {
        return (bitmap.get(ValueLayout.JAVA_BYTE, index >>> 3) >>> (index & 7) & 1) != 0;
    }
}
