package dev.headrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.testing.Streams;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A schema comes out as it went in, to the byte, and is found in messages, streams and files. */
final class SchemaTest {
    private static final DataType INT64 = new DataType.Fixed(8, new DataType.Meaning.SignedInt());

    @ParameterizedTest
    @ValueSource(strings = {"primitives", "texts", "nested", "encoded", "metadata", "no_columns"})
    void shouldKeepTheBytesOfTheMessage(String name) {
        byte[] stream = Streams.resource("/arrow/" + name + ".arrow");
        byte[] message = Schema.parse(stream).toMessage();
        assertThat(message).isEqualTo(Arrays.copyOf(stream, message.length));
        assertThat(Schema.parse(message)).isEqualTo(Schema.parse(stream));
    }

    @ParameterizedTest
    @ValueSource(strings = {"primitives", "texts", "nested", "encoded", "metadata", "no_columns"})
    void shouldSayTheSameWhenWrittenAnew(String name) {
        Schema schema = Schema.parse(Streams.resource("/arrow/" + name + ".arrow"));
        Schema anew = Schema.of(schema.fields(), schema.metadata());
        Schema read = Schema.parse(anew.toMessage());
        assertThat(read).isEqualTo(schema).hasSameHashCodeAs(schema);
        assertThat(read.types()).isEqualTo(schema.types());
    }

    @ParameterizedTest
    @ValueSource(strings = {"primitives", "texts", "nested"})
    void shouldBeFoundInFiles(String name) {
        assertThat(Schema.parse(Streams.resource("/arrow/" + name + "-file.arrow")))
                .isEqualTo(Schema.parse(Streams.resource("/arrow/" + name + ".arrow")));
    }

    @Test
    void shouldKeepMetadataThatIsNotText() {
        Schema schema = Schema.parse(Streams.resource("/arrow/metadata.arrow"));
        RawText key = RawText.of(new byte[] {-1, -2});
        RawText value = RawText.of(new byte[] {-128, 0, -1});
        assertThat(schema.metadata()).containsExactly(new KeyValue(key, value));
        assertThat(schema.names()).containsExactly("a", "a");
        assertThat(schema.fields().get(0).extensionName()).isEqualTo("acme.colour");
        assertThat(schema.fields().get(1).nullable()).isFalse();
    }

    @Test
    void shouldNotCareForDictionaryIdsOrOrderOfMetadata() {
        DataType type = new DataType.Dictionary(new DataType.Fixed(1, new DataType.Meaning.SignedInt()), false, INT64);
        KeyValue one = KeyValue.of("one", "1");
        KeyValue two = KeyValue.of("two", "2");
        Field first = new Field(RawText.of("d"), true, type, 3, List.of(), List.of(one, two));
        Field second = new Field(RawText.of("d"), true, type, 4, List.of(), List.of(two, one));
        Schema schema = Schema.of(List.of(first), List.of(one, two));
        assertThat(schema).isEqualTo(Schema.of(List.of(second), List.of(two, one)));
        assertThat(schema).hasSameHashCodeAs(Schema.of(List.of(second), List.of(two, one)));
    }

    @Test
    void shouldTellDifferentSchemasApart() {
        Schema schema = Schema.of(List.of(Field.of("a", true, INT64)), List.of());
        assertThat(schema)
                .isNotEqualTo(Schema.of(List.of(Field.of("b", true, INT64)), List.of()))
                .isNotEqualTo(Schema.of(List.of(Field.of("a", false, INT64)), List.of()))
                .isNotEqualTo(Schema.of(List.of(Field.of("a", true, new DataType.Bool())), List.of()))
                .isNotEqualTo(Schema.of(List.of(Field.of("a", true, INT64)), List.of(KeyValue.of("k", "v"))));
    }

    @Test
    void shouldRefuseBigEndianData() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int fields = org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, new int[0]);
        int schema = org.apache.arrow.flatbuf.Schema.createSchema(builder, Endianness.Big, fields, 0, 0);
        builder.finish(Message.createMessage(builder, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
        byte[] message = Encapsulation.of(builder.sizedByteArray());
        assertThatThrownBy(() -> Schema.parse(message)).isInstanceOfSatisfying(HeadraceException.class, e -> {
            assertThat(e.category()).isEqualTo(Category.INVALID_INPUT);
            assertThat(e).hasMessageContaining("big-endian");
        });
    }
}
