package dev.headrace.partition;

import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.util.Locale;

/** Names of types for error messages, close to how pyarrow prints them: pure functions, any thread. */
final class TypeName {
    private TypeName() {}

    static String of(DataType type) {
        return switch (type) {
            case DataType.Null() -> "null";
            case DataType.Bool() -> "bool";
            case DataType.Fixed(int width, Meaning meaning) -> fixed(width, meaning);
            case DataType.Binary(boolean large, boolean utf8) -> (large ? "large_" : "") + (utf8 ? "string" : "binary");
            case DataType.View(boolean utf8) -> utf8 ? "string_view" : "binary_view";
            case DataType.Varied varied ->
                varied.map()
                        ? "map<" + of(varied.item()) + ">"
                        : (varied.large() ? "large_" : "") + "list<" + of(varied.item()) + ">";
            case DataType.ListView(boolean large, DataType item) ->
                (large ? "large_" : "") + "list_view<" + of(item) + ">";
            case DataType.FixedList(int size, DataType item) -> "fixed_size_list<" + of(item) + ">[" + size + "]";
            case DataType.Struct struct -> "struct of " + struct.fields().size() + " fields";
            case DataType.Union union -> (union.dense() ? "dense" : "sparse") + "_union";
            case DataType.Dictionary dictionary -> "dictionary<" + of(dictionary.values()) + ">";
            case DataType.RunEnd runEnd -> "run_end_encoded<" + of(runEnd.values()) + ">";
        };
    }

    private static String fixed(int widthBytes, Meaning meaning) {
        int bits = 8 * widthBytes;
        return switch (meaning) {
            case Meaning.SignedInt() -> "int" + bits;
            case Meaning.UnsignedInt() -> "uint" + bits;
            case Meaning.Floating() -> "float" + bits;
            case Meaning.Decimal(int precision, int scale) -> "decimal" + bits + "(" + precision + ", " + scale + ")";
            case Meaning.Date() -> "date" + bits;
            case Meaning.Time(DataType.TimeUnit unit) -> "time" + bits + "[" + of(unit) + "]";
            case Meaning.Timestamp(DataType.TimeUnit unit, String zone) ->
                "timestamp[" + of(unit) + (zone.isEmpty() ? "" : ", " + zone) + "]";
            case Meaning.Duration(DataType.TimeUnit unit) -> "duration[" + of(unit) + "]";
            case Meaning.Interval() -> "interval of " + widthBytes + " bytes";
            case Meaning.Bytes() -> "fixed_size_binary[" + widthBytes + "]";
        };
    }

    private static String of(DataType.TimeUnit unit) {
        return unit.name().toLowerCase(Locale.ROOT);
    }
}
