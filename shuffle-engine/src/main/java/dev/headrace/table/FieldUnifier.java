package dev.headrace.table;

import dev.headrace.HeadraceException;
import dev.headrace.table.DataType.Fixed;
import dev.headrace.table.DataType.Meaning;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the field that the values of two fields of one name can both be brought to. All that is no type comes from the
 * left one, and so do names that Arrow gives no meaning to: those of list items, map entries and run ends.
 */
final class FieldUnifier {
    private final String leftSource;
    private final String rightSource;

    /** @param leftSource where the left fields come from, for people: "batch 3" */
    FieldUnifier(String leftSource, String rightSource) {
        this.leftSource = leftSource;
        this.rightSource = rightSource;
    }

    Field unify(Field left, Field right) {
        return unify(left, right, left.name());
    }

    private Field unify(Field left, Field right, String path) {
        requireSameExtension(left, right, path);
        boolean nullable = left.nullable() || right.nullable();
        if (left.type() instanceof DataType.Dictionary one && right.type() instanceof DataType.Dictionary other) {
            Fixed index = wider(one.index(), other.index());
            if (index == null || one.ordered() != other.ordered()) {
                throw differ(left.type(), right.type(), path);
            }
            Field values = unify(left.dictionaryValues(), right.dictionaryValues(), path);
            DataType type = new DataType.Dictionary(index, one.ordered(), values.type());
            return with(left, nullable, type, values.children());
        }
        List<Field> children = children(left, right, path);
        DataType type = type(left.type(), right.type(), children);
        if (type == null) {
            throw differ(left.type(), right.type(), path);
        }
        return with(left, nullable, type, children);
    }

    private static Field with(Field field, boolean nullable, DataType type, List<Field> children) {
        return new Field(field.rawName(), nullable, type, field.dictionaryId(), children, field.metadata());
    }

    private List<Field> children(Field left, Field right, String path) {
        boolean named = left.type() instanceof DataType.Struct || left.type() instanceof DataType.Union;
        if (left.type().getClass() != right.type().getClass()
                || left.children().size() != right.children().size()) {
            throw differ(left.type(), right.type(), path);
        }
        List<Field> children = new ArrayList<>();
        for (int i = 0; i < left.children().size(); i++) {
            Field one = left.children().get(i);
            Field other = right.children().get(i);
            if (named && !one.rawName().equals(other.rawName())) {
                throw HeadraceException.invalidInput("column " + path + ": field " + i + " is " + one.name() + " in "
                        + leftSource + ", " + other.name() + " in " + rightSource);
            }
            children.add(unify(one, other, path + "." + one.name()));
        }
        return children;
    }

    /** The left type over the given children, or null if the two types differ in more than their children. */
    private static @Nullable DataType type(DataType left, DataType right, List<Field> children) {
        if (left instanceof Fixed one && right instanceof Fixed other && isInteger(one) && isInteger(other)) {
            return wider(one, other);
        }
        DataType one = over(left, children);
        return one.equals(over(right, children)) ? one : null;
    }

    private static DataType over(DataType type, List<Field> children) {
        List<DataType> types = children.stream().map(Field::type).toList();
        return switch (type) {
            case DataType.Varied list ->
                new DataType.Varied(list.large(), list.map(), list.keysSorted(), types.getFirst());
            case DataType.ListView list -> new DataType.ListView(list.large(), types.getFirst());
            case DataType.FixedList list -> new DataType.FixedList(list.size(), types.getFirst());
            case DataType.Struct _ -> new DataType.Struct(types);
            case DataType.Union union -> new DataType.Union(union.dense(), union.codes(), types);
            case DataType.RunEnd runs -> new DataType.RunEnd(runs.endWidthBytes(), types.getLast());
            default -> type;
        };
    }

    private static boolean isInteger(Fixed type) {
        return type.meaning() instanceof Meaning.SignedInt || type.meaning() instanceof Meaning.UnsignedInt;
    }

    private static @Nullable Fixed wider(Fixed left, Fixed right) {
        if (!left.meaning().equals(right.meaning())) {
            return null;
        }
        return left.widthBytes() >= right.widthBytes() ? left : right;
    }

    private void requireSameExtension(Field left, Field right, String path) {
        if (!left.extensionName().equals(right.extensionName())
                || !left.extensionMetadata().equals(right.extensionMetadata())) {
            throw HeadraceException.invalidInput("column " + path + ": " + extension(left) + " in " + leftSource + ", "
                    + extension(right) + " in " + rightSource);
        }
    }

    private static String extension(Field field) {
        return field.extensionName().isEmpty()
                ? TypeName.of(field.type())
                : "extension type " + field.extensionName() + " (" + field.extensionMetadata() + ")";
    }

    private HeadraceException differ(DataType left, DataType right, String path) {
        return HeadraceException.invalidInput("column " + path + ": " + TypeName.of(left) + " in " + leftSource + ", "
                + TypeName.of(right) + " in " + rightSource);
    }
}
