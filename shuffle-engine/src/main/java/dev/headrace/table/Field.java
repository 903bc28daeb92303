package dev.headrace.table;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * One column, or one level of a nested column, of a {@link Schema}: its {@link DataType} and all that the type leaves
 * out. Immutable. Two fields are equal if they mean the same: dictionary ids and the order of metadata don't count.
 *
 * @param dictionaryId the id of the dictionary in the stream that the schema came from; 0 if {@code type} is no
 *     {@link DataType.Dictionary}
 * @param children the fields inside, as Arrow nests them; those of the values if {@code type} is a dictionary
 */
public record Field(
        RawText rawName,
        boolean nullable,
        DataType type,
        long dictionaryId,
        List<Field> children,
        List<KeyValue> metadata) {
    private static final RawText EXTENSION_NAME = RawText.of("ARROW:extension:name");
    private static final RawText EXTENSION_METADATA = RawText.of("ARROW:extension:metadata");

    public Field {
        children = List.copyOf(children);
        metadata = List.copyOf(metadata);
    }

    /** A field without metadata. */
    public static Field of(String name, boolean nullable, DataType type, Field... children) {
        return new Field(RawText.of(name), nullable, type, 0, List.of(children), List.of());
    }

    /** The name for people and for looking up keys; {@link #rawName()} has the bytes. */
    public String name() {
        return rawName.toString();
    }

    /** The name of the extension type, or an empty string if the field is of none. */
    public String extensionName() {
        return value(EXTENSION_NAME).toString();
    }

    RawText extensionMetadata() {
        return value(EXTENSION_METADATA);
    }

    private RawText value(RawText key) {
        for (KeyValue entry : metadata) {
            if (entry.key().equals(key)) {
                return entry.value();
            }
        }
        return RawText.EMPTY;
    }

    /** What the batches of this field's dictionary hold. */
    Field dictionaryValues() {
        DataType.Dictionary dictionary = (DataType.Dictionary) type;
        return new Field(rawName, true, dictionary.values(), 0, children, List.of());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Field field
                && rawName.equals(field.rawName)
                && nullable == field.nullable
                && type.equals(field.type)
                && children.equals(field.children)
                && Set.copyOf(metadata).equals(Set.copyOf(field.metadata));
    }

    @Override
    public int hashCode() {
        return Objects.hash(rawName, nullable, type, children);
    }
}
