package dev.headrace.table;

import dev.headrace.table.DataType.Meaning;

/** Names of types for error messages, close to how pyarrow prints them. Pure functions; any thread. */
public final class TypeName {
    private TypeName() {}

    public static String of(DataType type) {
        return switch (type) {
            case DataType.Null() -> "null";
            case DataType.Bool() -> "bool";
            case DataType.Fixed(int width, Meaning meaning) -> fixed(width, meaning);
            case DataType.Binary(boolean large, boolean utf8) -> large(large) + (utf8 ? "string" : "binary");
            case DataType.View(boolean utf8) -> utf8 ? "string_view" : "binary_view";
            case DataType.Varied list ->
                list.map()
                        ? "map<" + of(list.item()) + (list.keysSorted() ? ", keys sorted>" : ">")
                        : large(list.large()) + "list<" + of(list.item()) + ">";
            case DataType.ListView(boolean large, DataType item) -> large(large) + "list_view<" + of(item) + ">";
            case DataType.FixedList(int size, DataType item) -> "fixed_size_list<" + of(item) + ">[" + size + "]";
            case DataType.Struct struct -> "struct of " + struct.fields().size() + " fields";
            case DataType.Union union -> (union.dense() ? "dense" : "sparse") + "_union of type codes " + union.codes();
            case DataType.Dictionary(DataType.Fixed index, boolean ordered, DataType values) ->
                "dictionary<" + of(index) + ", " + of(values) + (ordered ? ", ordered>" : ">");
            case DataType.RunEnd(int width, DataType values) ->
                "run_end_encoded<int" + 8 * width + ", " + of(values) + ">";
        };
    }

    private static String large(boolean large) {
        return large ? "large_" : "";
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
        return switch (unit) {
            case SECOND -> "s";
            case MILLISECOND -> "ms";
            case MICROSECOND -> "us";
            case NANOSECOND -> "ns";
        };
    }
}
