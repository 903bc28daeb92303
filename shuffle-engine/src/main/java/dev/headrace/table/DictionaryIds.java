package dev.headrace.table;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The ids of the dictionaries of a schema: are they distinct, and if not, new ones in depth-first order. */
final class DictionaryIds {
    private long next;

    boolean areDistinct(List<Field> fields) {
        return areDistinct(fields, new HashSet<>());
    }

    private static boolean areDistinct(List<Field> fields, Set<Long> seen) {
        for (Field field : fields) {
            if (field.type() instanceof DataType.Dictionary && !seen.add(field.dictionaryId())) {
                return false;
            }
            if (!areDistinct(field.children(), seen)) {
                return false;
            }
        }
        return true;
    }

    List<Field> renumbered(List<Field> fields) {
        return fields.stream().map(this::renumbered).toList();
    }

    private Field renumbered(Field field) {
        long id = field.type() instanceof DataType.Dictionary ? next++ : 0;
        return new Field(
                field.rawName(), field.nullable(), field.type(), id, renumbered(field.children()), field.metadata());
    }
}
