package dev.headrace.table;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.DictionaryKind;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;

/** Writes a {@link Schema} as an IPC message. */
final class SchemaEncoder {
    private final FlatBufferBuilder builder = new FlatBufferBuilder(1024);

    byte[] message(Schema schema) {
        int fields = fields(schema.fields());
        int metadata = metadata(schema.metadata());
        int header = org.apache.arrow.flatbuf.Schema.createSchema(builder, Endianness.Little, fields, metadata, 0);
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, header, 0, 0));
        return Encapsulation.of(builder.sizedByteArray());
    }

    private int fields(List<Field> fields) {
        int[] offsets = new int[fields.size()];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = field(fields.get(i));
        }
        return org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, offsets);
    }

    private int field(Field field) {
        int children = fields(field.children());
        int metadata = metadata(field.metadata());
        int name = text(field.rawName());
        int dictionary = 0;
        DataType type = field.type();
        if (type instanceof DataType.Dictionary encoded) {
            int indexType = TypeEncoder.integer(builder, encoded.index());
            dictionary = DictionaryEncoding.createDictionaryEncoding(
                    builder, field.dictionaryId(), indexType, encoded.ordered(), DictionaryKind.DenseArray);
            type = encoded.values();
        }
        TypeEncoder encoder = new TypeEncoder(builder);
        int typeOffset = encoder.encode(type);
        return org.apache.arrow.flatbuf.Field.createField(
                builder, name, field.nullable(), encoder.kind(), typeOffset, dictionary, children, metadata);
    }

    private int metadata(List<KeyValue> entries) {
        if (entries.isEmpty()) {
            return 0;
        }
        int[] offsets = new int[entries.size()];
        for (int i = 0; i < offsets.length; i++) {
            int key = text(entries.get(i).key());
            int value = text(entries.get(i).value());
            offsets[i] = org.apache.arrow.flatbuf.KeyValue.createKeyValue(builder, key, value);
        }
        return org.apache.arrow.flatbuf.Schema.createCustomMetadataVector(builder, offsets);
    }

    private int text(RawText text) {
        return builder.createString(ByteBuffer.wrap(text.bytes()));
    }
}
