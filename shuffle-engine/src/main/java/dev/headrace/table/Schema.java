package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names, types, nullability and metadata of the columns of a table, kept to the byte. Immutable; two schemas are equal
 * if they mean the same, whatever their dictionary ids and the order of their metadata.
 */
public final class Schema {
    private final List<Field> fields;
    private final List<KeyValue> metadata;
    private final byte @Nullable [] original;

    /** @param original the metadata of the message that the schema was read from, if it still says the same */
    Schema(List<Field> fields, List<KeyValue> metadata, byte @Nullable [] original) {
        this.fields = List.copyOf(fields);
        this.metadata = List.copyOf(metadata);
        this.original = original;
    }

    /** A schema that comes from no stream; dictionaries get ids of their own. */
    public static Schema of(List<Field> fields, List<KeyValue> metadata) {
        return new Schema(fields, metadata, null).withDistinctDictionaries();
    }

    /**
     * Reads the schema at the start of an Arrow IPC stream or file; a schema message alone will do.
     *
     * @throws HeadraceException CORRUPT_DATA, or INVALID_INPUT for what can't be read here (big-endian data)
     */
    public static Schema parse(MemorySegment bytes) {
        return MessageSource.open(bytes).schema();
    }

    /** Like {@link #parse(MemorySegment)}. */
    public static Schema parse(byte[] bytes) {
        return parse(MemorySegment.ofArray(bytes));
    }

    public List<Field> fields() {
        return fields;
    }

    public List<KeyValue> metadata() {
        return metadata;
    }

    /** One type per column. */
    public List<DataType> types() {
        return fields.stream().map(Field::type).toList();
    }

    /** One name per column; there may be equal ones. */
    public List<String> names() {
        return fields.stream().map(Field::name).toList();
    }

    /**
     * The schema as an encapsulated IPC message, padded to 8 bytes; the very bytes that it was read from, if it was.
     */
    public byte[] toMessage() {
        return original == null ? new SchemaEncoder().message(this) : Encapsulation.of(original);
    }

    /**
     * This schema if every dictionary in it has an id of its own, else one where they have. Streams may share a
     * dictionary between columns; what is written from columns that were cut and put together again can't.
     */
    Schema withDistinctDictionaries() {
        DictionaryIds ids = new DictionaryIds();
        return ids.areDistinct(fields) ? this : new Schema(ids.renumbered(fields), metadata, null);
    }

    private Set<KeyValue> metadataSet() {
        return new HashSet<>(metadata);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema
                && fields.equals(schema.fields)
                && metadataSet().equals(schema.metadataSet());
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return "Schema" + fields;
    }
}
