package dev.headrace.table;

import java.util.List;

/**
 * What one Arrow column is made of: enough to move, hash and check its bytes, without names, nullability or metadata.
 * Immutable. A map is a {@link Varied} of structs with {@code map} set; an extension type is its storage.
 */
public sealed interface DataType {

    /** No buffers at all; the length is all there is. */
    record Null() implements DataType {}

    /** One bit per row. */
    record Bool() implements DataType {}

    /** A fixed number of bytes per row (0 is allowed); {@code meaning} says what they stand for. */
    record Fixed(int widthBytes, Meaning meaning) implements DataType {}

    /** Offsets of 32 or 64 bits ({@code large}) into one data buffer. */
    record Binary(boolean large, boolean utf8) implements DataType {}

    /** Sixteen-byte views, inline up to 12 bytes, into any number of data buffers. */
    record View(boolean utf8) implements DataType {}

    /** A list, large list or map: offsets into one child. */
    record Varied(boolean large, boolean map, boolean keysSorted, DataType item) implements DataType {}

    /** Offsets and sizes, in any order and overlapping, into one child. */
    record ListView(boolean large, DataType item) implements DataType {}

    /** {@code size} child rows for every row, null or not. */
    record FixedList(int size, DataType item) implements DataType {}

    record Struct(List<DataType> fields) implements DataType {}

    /** {@code codes[i]} is the type code of child i. A union has no validity of its own. */
    record Union(boolean dense, List<Integer> codes, List<DataType> children) implements DataType {}

    /** The indices are integers of {@code index}; {@code values} is the type of the dictionary. */
    record Dictionary(Fixed index, boolean ordered, DataType values) implements DataType {}

    /** Run ends are signed integers of {@code endWidthBytes} (2, 4 or 8). */
    record RunEnd(int endWidthBytes, DataType values) implements DataType {}

    /** What the bytes of a {@link Fixed} column stand for. */
    sealed interface Meaning {
        record SignedInt() implements Meaning {}

        record UnsignedInt() implements Meaning {}

        /** IEEE 754 of 2, 4 or 8 bytes. */
        record Floating() implements Meaning {}

        /** Two's complement of 4, 8, 16 or 32 bytes, times ten to the power of {@code -scale}. */
        record Decimal(int precision, int scale) implements Meaning {}

        /** Days (4 bytes) or milliseconds (8 bytes) since 1970. */
        record Date() implements Meaning {}

        /** Time of day in a unit. */
        record Time(TimeUnit unit) implements Meaning {}

        /** An instant or a local date and time; {@code zone} is empty for the latter. */
        record Timestamp(TimeUnit unit, String zone) implements Meaning {}

        record Duration(TimeUnit unit) implements Meaning {}

        /** Months (4 bytes), days and milliseconds (8), or months, days and nanoseconds (16). */
        record Interval() implements Meaning {}

        /** Bytes without a number in them. */
        record Bytes() implements Meaning {}
    }

    /** Units of time and how many nanoseconds each has. */
    enum TimeUnit {
        SECOND(1_000_000_000L),
        MILLISECOND(1_000_000L),
        MICROSECOND(1_000L),
        NANOSECOND(1L);

        private final long nanos;

        TimeUnit(long nanos) {
            this.nanos = nanos;
        }

        public long nanos() {
            return nanos;
        }
    }
}
