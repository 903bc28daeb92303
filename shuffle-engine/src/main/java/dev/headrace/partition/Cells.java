package dev.headrace.partition;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;

/**
 * Turns the values of one key type into cells: 64-bit words that are equal for equal values, see docs/hash.md. Chosen
 * once per column; some keep scratch space, so one thread at a time.
 */
sealed interface Cells
        permits NullCells,
                BoolCells,
                IntegerCells,
                FloatCells,
                DecimalCells,
                BinaryCells,
                ViewCells,
                FixedBytesCells,
                DictionaryCells,
                RunEndCells {

    /** The most rows that one {@link #read} takes: its words stay in the innermost cache. */
    int MAX_ROWS = 2_048;

    /** Sets {@code cells[at + i]} to the cell of row {@code from + i} for {@code rows} rows, at most MAX_ROWS. */
    void read(Column column, long from, int rows, long[] cells, int at);

    /** The reader for a key type. */
    static Cells of(DataType type) {
        return switch (type) {
            case DataType.Null() -> new NullCells();
            case DataType.Bool() -> new BoolCells();
            case DataType.Fixed(int width, Meaning meaning) -> fixed(type, width, meaning);
            case DataType.Binary binary -> new BinaryCells(binary.large() ? 8 : 4);
            case DataType.View ignored -> new ViewCells();
            case DataType.Dictionary dictionary -> new DictionaryCells(dictionary);
            case DataType.RunEnd runEnd -> new RunEndCells(runEnd);
            case DataType.Varied ignored -> throw refused(type);
            case DataType.ListView ignored -> throw refused(type);
            case DataType.FixedList ignored -> throw refused(type);
            case DataType.Struct ignored -> throw refused(type);
            case DataType.Union ignored -> throw refused(type);
        };
    }

    private static Cells fixed(DataType type, int widthBytes, Meaning meaning) {
        return switch (meaning) {
            case Meaning.SignedInt() -> new IntegerCells(widthBytes, true, 1);
            case Meaning.UnsignedInt() -> new IntegerCells(widthBytes, false, 1);
            case Meaning.Floating() -> new FloatCells(widthBytes);
            case Meaning.Decimal(int precision, int scale) -> new DecimalCells(widthBytes, scale);
            case Meaning.Date() ->
                new IntegerCells(widthBytes, true, widthBytes == 4 ? 86_400_000_000_000L : 1_000_000L);
            case Meaning.Time(DataType.TimeUnit unit) -> new IntegerCells(widthBytes, true, unit.nanos());
            case Meaning.Timestamp(DataType.TimeUnit unit, String zone) ->
                new IntegerCells(widthBytes, true, unit.nanos());
            case Meaning.Duration(DataType.TimeUnit unit) -> new IntegerCells(widthBytes, true, unit.nanos());
            case Meaning.Bytes() -> new FixedBytesCells(widthBytes);
            case Meaning.Interval() -> throw refused(type);
        };
    }

    private static HeadraceException refused(DataType type) {
        return HeadraceException.invalidInput("a column of type " + TypeName.of(type) + " can't be a key");
    }
}
