package dev.headrace.partition;

import dev.headrace.HeadraceException;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.util.List;

/** Which columns are the key of a shuffle: checks what a caller asked for; pure functions, any thread. */
public final class Keys {
    private Keys() {}

    /**
     * The index of the column of each key, in the order of the keys.
     *
     * @param keys names of the key columns; a name may stand there twice
     * @param names names of all columns
     * @param types types of all columns, in the same order
     * @throws dev.headrace.HeadraceException {@code INVALID_INPUT} if there is no key, a key names no column or more
     *     than one, or its type can't be a key
     */
    public static int[] resolve(List<String> keys, List<String> names, List<DataType> types) {
        if (names.size() != types.size()) {
            throw new IllegalArgumentException(names.size() + " names for " + types.size() + " types");
        }
        if (keys.isEmpty()) {
            throw HeadraceException.invalidInput("no key column was given, and a shuffle by key needs at least one");
        }
        int[] columns = new int[keys.size()];
        for (int i = 0; i < columns.length; i++) {
            String key = keys.get(i);
            columns[i] = indexOf(key, names);
            DataType type = types.get(columns[i]);
            if (!canBeKey(type)) {
                throw HeadraceException.invalidInput(
                        "column \"" + key + "\" of type " + TypeName.of(type) + " can't be a key");
            }
        }
        return columns;
    }

    /** Whether a column of the type has a hash: every type but intervals, lists, structs, maps and unions. */
    public static boolean canBeKey(DataType type) {
        return switch (type) {
            case DataType.Null ignored -> true;
            case DataType.Bool ignored -> true;
            case DataType.Fixed(int width, Meaning meaning) -> !(meaning instanceof Meaning.Interval);
            case DataType.Binary ignored -> true;
            case DataType.View ignored -> true;
            case DataType.Dictionary dictionary -> canBeKey(dictionary.values());
            case DataType.RunEnd runEnd -> canBeKey(runEnd.values());
            case DataType.Varied ignored -> false;
            case DataType.ListView ignored -> false;
            case DataType.FixedList ignored -> false;
            case DataType.Struct ignored -> false;
            case DataType.Union ignored -> false;
        };
    }

    private static int indexOf(String key, List<String> names) {
        int index = names.indexOf(key);
        if (index < 0) {
            throw HeadraceException.invalidInput(
                    "key column \"" + key + "\" is not in the table, whose columns are " + names);
        }
        if (names.lastIndexOf(key) != index) {
            throw HeadraceException.invalidInput("key column \"" + key + "\" is ambiguous: columns " + index + " and "
                    + names.lastIndexOf(key) + " both have that name");
        }
        return index;
    }
}
