package dev.headrace.partition;

import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;

/**
 * What values of a type are compared as: types of one family can be compared with each other, whatever their width and
 * layout. Immutable.
 *
 * @param detail the scale or unit that both must share; 0 if there is none
 */
record SortFamily(Kind kind, int detail) {

    /** The sorts of values that have an order. */
    enum Kind {
        NULL,
        BOOL,
        SIGNED,
        UNSIGNED,
        FLOATING,
        DECIMAL,
        DATE,
        TIME,
        TIMESTAMP,
        DURATION,
        TEXT,
        BYTES
    }

    /** Whether values of both can be compared; nulls compare with anything. */
    boolean comparesWith(SortFamily other) {
        return equals(other) || kind == Kind.NULL || other.kind == Kind.NULL;
    }

    /** The family of a type that {@link Keys#canBeKey can be a key}. */
    static SortFamily of(DataType type) {
        return switch (type) {
            case DataType.Null() -> plain(Kind.NULL);
            case DataType.Bool() -> plain(Kind.BOOL);
            case DataType.Fixed(int width, Meaning meaning) -> fixed(type, width, meaning);
            case DataType.Binary(boolean large, boolean utf8) -> plain(utf8 ? Kind.TEXT : Kind.BYTES);
            case DataType.View(boolean utf8) -> plain(utf8 ? Kind.TEXT : Kind.BYTES);
            case DataType.Dictionary dictionary -> of(dictionary.values());
            case DataType.RunEnd runEnd -> of(runEnd.values());
            case DataType.Varied ignored -> throw refused(type);
            case DataType.ListView ignored -> throw refused(type);
            case DataType.FixedList ignored -> throw refused(type);
            case DataType.Struct ignored -> throw refused(type);
            case DataType.Union ignored -> throw refused(type);
        };
    }

    private static SortFamily fixed(DataType type, int widthBytes, Meaning meaning) {
        return switch (meaning) {
            case Meaning.SignedInt() -> plain(Kind.SIGNED);
            case Meaning.UnsignedInt() -> plain(Kind.UNSIGNED);
            case Meaning.Floating() -> plain(Kind.FLOATING);
            case Meaning.Decimal(int precision, int scale) -> new SortFamily(Kind.DECIMAL, scale);
            case Meaning.Date() -> new SortFamily(Kind.DATE, widthBytes);
            case Meaning.Time(DataType.TimeUnit unit) -> of(Kind.TIME, unit);
            case Meaning.Timestamp(DataType.TimeUnit unit, String zone) -> of(Kind.TIMESTAMP, unit);
            case Meaning.Duration(DataType.TimeUnit unit) -> of(Kind.DURATION, unit);
            case Meaning.Bytes() -> plain(Kind.BYTES);
            case Meaning.Interval() -> throw refused(type);
        };
    }

    private static SortFamily plain(Kind kind) {
        return new SortFamily(kind, 0);
    }

    private static SortFamily of(Kind kind, DataType.TimeUnit unit) {
        return new SortFamily(kind, Math.toIntExact(unit.nanos()));
    }

    private static IllegalArgumentException refused(DataType type) {
        return new IllegalArgumentException("type " + TypeName.of(type) + " has no order");
    }
}
