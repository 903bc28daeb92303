package dev.headrace.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.table.DataType.Fixed;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.SchemaUnifier.Ranked;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** One rule for batches that differ, whatever the order in which they are told. */
final class SchemaUnifierTest {
    private static final Fixed INT8 = new Fixed(1, new Meaning.SignedInt());
    private static final Fixed INT32 = new Fixed(4, new Meaning.SignedInt());
    private static final Fixed INT64 = new Fixed(8, new Meaning.SignedInt());
    private static final Fixed UINT32 = new Fixed(4, new Meaning.UnsignedInt());
    private static final DataType STRING = new DataType.Binary(false, true);

    @Test
    void shouldGiveBackTheOnlySchema() {
        Schema schema = schema(Field.of("a", true, INT32));
        assertThat(SchemaUnifier.unify(List.of(new Ranked(5, schema), new Ranked(7, schema))))
                .isSameAs(schema);
    }

    @Test
    void shouldTakeTheWiderInteger() {
        Schema narrow = schema(Field.of("a", true, INT32));
        Schema wide = schema(Field.of("a", true, INT64));
        assertThat(unify(narrow, wide)).isEqualTo(wide);
        assertThat(unify(wide, narrow)).isEqualTo(wide);
    }

    @Test
    void shouldWidenInsideNestedTypes() {
        Schema narrow = schema(Field.of("l", true, list(INT8), Field.of("item", false, INT8)));
        Schema wide = schema(Field.of("l", true, list(INT64), Field.of("element", true, INT64)));
        assertThat(unify(narrow, wide))
                .isEqualTo(schema(Field.of("l", true, list(INT64), Field.of("item", true, INT64))));
    }

    @Test
    void shouldWidenDictionaryIndices() {
        Schema narrow = schema(Field.of("d", true, new DataType.Dictionary(INT8, false, STRING)));
        Schema wide = schema(Field.of("d", true, new DataType.Dictionary(INT32, false, STRING)));
        assertThat(unify(narrow, wide)).isEqualTo(wide);
        Schema ordered = schema(Field.of("d", true, new DataType.Dictionary(INT32, true, STRING)));
        assertInvalid(() -> unify(narrow, ordered), "column d", "int8", "ordered");
    }

    @Test
    void shouldBeNullableWhereAnyBatchIs() {
        Schema never = schema(Field.of("a", false, INT32));
        Schema maybe = schema(Field.of("a", true, INT32));
        assertThat(unify(never, maybe)).isEqualTo(maybe);
        assertThat(unify(maybe, never)).isEqualTo(maybe);
    }

    @Test
    void shouldTakeMetadataOfTheLowestBatch() {
        Schema one = Schema.of(List.of(tagged("1")), List.of(KeyValue.of("v", "1")));
        Schema two = Schema.of(List.of(tagged("2")), List.of(KeyValue.of("v", "2")));
        assertThat(SchemaUnifier.unify(List.of(new Ranked(9, two), new Ranked(3, one))))
                .isEqualTo(one);
    }

    @Test
    void shouldNotDependOnTheOrderOfTheList() {
        Ranked first = new Ranked(0, schema(Field.of("a", false, INT8)));
        Ranked second = new Ranked(1, schema(Field.of("a", true, INT32)));
        Ranked third = new Ranked(2, schema(Field.of("a", false, INT64)));
        Schema expected = schema(Field.of("a", true, INT64));
        assertThat(SchemaUnifier.unify(List.of(first, second, third))).isEqualTo(expected);
        assertThat(SchemaUnifier.unify(List.of(third, first, second))).isEqualTo(expected);
    }

    @Test
    void shouldNameColumnTypesAndBatches() {
        Ranked first = new Ranked(0, schema(Field.of("x", true, INT32)));
        Ranked wider = new Ranked(3, schema(Field.of("x", true, INT64)));
        Ranked text = new Ranked(8, schema(Field.of("x", true, STRING)));
        assertInvalid(
                () -> SchemaUnifier.unify(List.of(text, first, wider)),
                "column x: int64 in batch 3, string in batch 8");
    }

    @Test
    void shouldRefuseWhatItCantWiden() {
        assertInvalid(() -> unify(schema(Field.of("x", true, INT32)), schema(Field.of("x", true, UINT32))), "uint32");
        assertInvalid(
                () -> unify(
                        schema(Field.of("x", true, STRING)),
                        schema(Field.of("x", true, new DataType.Binary(true, true)))),
                "column x: string in batch 0, large_string in batch 1");
        assertInvalid(
                () -> unify(schema(Field.of("x", true, new DataType.Null())), schema(Field.of("x", true, INT32))),
                "column x: null in batch 0, int32 in batch 1");
    }

    @Test
    void shouldRefuseOtherFieldsOfStructs() {
        Schema one = schema(Field.of("s", true, new DataType.Struct(List.of(INT32)), Field.of("a", true, INT32)));
        Schema other = schema(Field.of("s", true, new DataType.Struct(List.of(INT32)), Field.of("b", true, INT32)));
        assertInvalid(() -> unify(one, other), "column s", "field 0 is a in batch 0, b in batch 1");
    }

    @Test
    void shouldRefuseAnotherExtensionType() {
        KeyValue name = KeyValue.of("ARROW:extension:name", "acme.colour");
        Schema plain = schema(Field.of("x", true, INT32));
        Schema extended = schema(new Field(RawText.of("x"), true, INT32, 0, List.of(), List.of(name)));
        assertInvalid(() -> unify(plain, extended), "column x: int32 in batch 0", "acme.colour");
    }

    @Test
    void shouldNameMissingExtraAndMovedColumns() {
        Field a = Field.of("a", true, INT32);
        Field b = Field.of("b", true, INT32);
        assertInvalid(() -> unify(schema(a, b), schema(a)), "column b of batch 0 is missing in batch 1");
        assertInvalid(() -> unify(schema(a), schema(a, b)), "column b of batch 1 is not in batch 0");
        assertInvalid(() -> unify(schema(a, b), schema(b, a)), "column 0 is a in batch 0, b in batch 1");
        assertInvalid(() -> unify(schema(a), schema(a, a)), "column a of batch 1 is not in batch 0");
    }

    @Test
    void shouldNeedSomeSchema() {
        assertInvalid(() -> SchemaUnifier.unify(List.of()), "no batch was inserted and no schema was declared");
    }

    @Test
    void shouldFitNarrowerBatchesIntoDeclaredSchema() {
        Schema declared = schema(Field.of("a", true, INT64));
        Ranked narrow = new Ranked(4, schema(Field.of("a", false, INT8)));
        assertThat(SchemaUnifier.fit(declared, List.of(narrow))).isSameAs(declared);
        assertThat(SchemaUnifier.fit(declared, List.of())).isSameAs(declared);
    }

    @Test
    void shouldRefuseBatchesThatDoNotFit() {
        Schema declared = schema(Field.of("a", false, INT32));
        assertInvalid(
                () -> SchemaUnifier.fit(declared, List.of(new Ranked(4, schema(Field.of("a", false, INT64))))),
                "column a: int32 in the declared schema, too narrow for int64 in batch 4");
        assertInvalid(
                () -> SchemaUnifier.fit(declared, List.of(new Ranked(4, schema(Field.of("a", true, INT32))))),
                "column a: not null in the declared schema",
                "batch 4");
        assertInvalid(
                () -> SchemaUnifier.fit(declared, List.of(new Ranked(4, schema(Field.of("b", true, INT32))))),
                "column a of the declared schema is missing in batch 4");
    }

    private static Field tagged(String value) {
        return new Field(RawText.of("a"), true, INT32, 0, List.of(), List.of(KeyValue.of("tag", value)));
    }

    private static DataType list(DataType item) {
        return new DataType.Varied(false, false, false, item);
    }

    private static Schema schema(Field... fields) {
        return Schema.of(List.of(fields), List.of());
    }

    private static Schema unify(Schema first, Schema second) {
        return SchemaUnifier.unify(List.of(new Ranked(0, first), new Ranked(1, second)));
    }

    private static void assertInvalid(ThrowingCallable call, String... parts) {
        assertThatThrownBy(call).isInstanceOfSatisfying(HeadraceException.class, e -> {
            assertThat(e.category()).isEqualTo(Category.INVALID_INPUT);
            assertThat(e.getMessage()).contains(parts);
        });
    }
}
