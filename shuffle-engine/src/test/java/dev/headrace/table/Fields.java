package dev.headrace.table;

import java.util.ArrayList;
import java.util.List;

/** Fields for types: nullable, children named by number. */
final class Fields {
    private Fields() {}

    static Field of(String name, DataType type) {
        List<DataType> inside = switch (type instanceof DataType.Dictionary dictionary ? dictionary.values() : type) {
            case DataType.Varied list -> List.of(list.item());
            case DataType.ListView list -> List.of(list.item());
            case DataType.FixedList list -> List.of(list.item());
            case DataType.Struct struct -> struct.fields();
            case DataType.Union union -> union.children();
            case DataType.RunEnd runs ->
                List.of(new DataType.Fixed(runs.endWidthBytes(), new DataType.Meaning.SignedInt()), runs.values());
            default -> List.of();
        };
        List<Field> children = new ArrayList<>();
        for (DataType child : inside) {
            children.add(of(String.valueOf(children.size()), child));
        }
        return Field.of(name, true, type, children.toArray(Field[]::new));
    }
}
