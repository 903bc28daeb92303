package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Int;
import org.jspecify.annotations.Nullable;

/** A flatbuffers schema as fields. Bounded in depth and number, because corrupt bytes may point in circles. */
final class SchemaDecoder {
    static final int MAX_DEPTH = 64;

    private int fieldsLeft;
    private long textBytesLeft;

    /** @param metadataBytes the size of the message, which bounds the number of fields that can be in it */
    SchemaDecoder(int metadataBytes) {
        fieldsLeft = metadataBytes / 8;
        // Equal texts may lie in one place, but a few bytes can't be the names of thousands of columns.
        textBytesLeft = 16L * metadataBytes;
    }

    List<Field> fields(org.apache.arrow.flatbuf.Schema schema) {
        if (schema.endianness() != Endianness.Little) {
            throw HeadraceException.invalidInput("the Arrow data is big-endian; only little-endian data is read");
        }
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            fields.add(field(schema.fields(i), 1));
        }
        return fields;
    }

    List<KeyValue> metadata(org.apache.arrow.flatbuf.Schema schema) {
        List<KeyValue> entries = new ArrayList<>();
        for (int i = 0; i < schema.customMetadataLength(); i++) {
            entries.add(entry(schema.customMetadata(i)));
        }
        return entries;
    }

    private Field field(org.apache.arrow.flatbuf.Field field, int depth) {
        RawText name = text(field.nameAsByteBuffer());
        if (depth > MAX_DEPTH) {
            throw HeadraceException.invalidInput("column " + name + " is nested deeper than " + MAX_DEPTH + " levels");
        }
        if (fieldsLeft-- <= 0) {
            throw HeadraceException.corruptData("the Arrow schema has more fields than its bytes can hold");
        }
        List<Field> children = new ArrayList<>();
        for (int i = 0; i < field.childrenLength(); i++) {
            children.add(field(field.children(i), depth + 1));
        }
        List<KeyValue> metadata = new ArrayList<>();
        for (int i = 0; i < field.customMetadataLength(); i++) {
            metadata.add(entry(field.customMetadata(i)));
        }
        DataType type = new TypeDecoder(field, name.toString(), children).decode();
        long dictionaryId = 0;
        DictionaryEncoding encoding = field.dictionary();
        if (encoding != null) {
            type = dictionary(encoding, type);
            dictionaryId = encoding.id();
        }
        return new Field(name, field.nullable(), type, dictionaryId, children, metadata);
    }

    private static DataType dictionary(DictionaryEncoding encoding, DataType values) {
        Int index = encoding.indexType();
        // The format says that an absent index type means signed 32-bit integers.
        DataType.Fixed type =
                index == null ? new DataType.Fixed(4, new DataType.Meaning.SignedInt()) : TypeDecoder.integer(index);
        return new DataType.Dictionary(type, encoding.isOrdered(), values);
    }

    private RawText text(@Nullable ByteBuffer bytes) {
        if (bytes == null) {
            return RawText.EMPTY;
        }
        textBytesLeft -= bytes.remaining();
        if (textBytesLeft < 0) {
            throw HeadraceException.corruptData("the Arrow schema has more text than its bytes can hold");
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return RawText.of(copy);
    }

    private KeyValue entry(org.apache.arrow.flatbuf.KeyValue entry) {
        if (fieldsLeft-- <= 0) {
            throw HeadraceException.corruptData("the Arrow schema has more metadata than its bytes can hold");
        }
        return new KeyValue(text(entry.keyAsByteBuffer()), text(entry.valueAsByteBuffer()));
    }
}
