package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeysTest {
    private static final DataType STRUCT = new DataType.Struct(List.of(TestColumns.INT64));
    private static final List<String> NAMES = List.of("id", "name", "twice", "twice");
    private static final List<DataType> TYPES =
            List.of(TestColumns.INT64, TestColumns.STRING, TestColumns.INT64, TestColumns.INT64);

    @Test
    void shouldFindColumnsInTheOrderOfTheKeys() {
        assertThat(Keys.resolve(List.of("name", "id"), NAMES, TYPES)).containsExactly(1, 0);
        assertThat(Keys.resolve(List.of("id", "id"), NAMES, TYPES)).containsExactly(0, 0);
    }

    @Test
    void shouldNameTheColumnThatIsMissingAndThoseThatAreThere() {
        assertRefused(List.of("no such"), NAMES, TYPES, "\"no such\"", "id", "name");
    }

    @Test
    void shouldRefuseToGuessAmongColumnsOfOneName() {
        assertRefused(List.of("twice"), NAMES, TYPES, "\"twice\"", "columns 2 and 3");
    }

    @Test
    void shouldAskForAKey() {
        assertRefused(List.of(), NAMES, TYPES, "key");
    }

    @Test
    void shouldNameColumnAndTypeThatCantBeAKey() {
        DataType list = new DataType.Varied(false, false, false, TestColumns.INT64);
        DataType map = new DataType.Varied(false, true, false, STRUCT);
        DataType union = new DataType.Union(true, List.of(0), List.of(TestColumns.INT64));
        assertType(STRUCT, "struct");
        assertType(list, "list<int64>");
        assertType(map, "map");
        assertType(union, "union");
        assertType(new DataType.ListView(true, TestColumns.STRING), "list_view<string>");
        assertType(new DataType.FixedList(3, TestColumns.INT64), "fixed_size_list<int64>");
        assertType(new DataType.Fixed(4, new Meaning.Interval()), "interval");
        assertType(new DataType.Dictionary(TestColumns.integer(4), false, STRUCT), "dictionary<struct");
        assertType(new DataType.RunEnd(4, list), "run_end_encoded<list");
    }

    private static void assertType(DataType type, String word) {
        assertThat(Keys.canBeKey(type)).isFalse();
        assertRefused(List.of("k"), List.of("k"), List.of(type), "\"k\"", word);
    }

    private static void assertRefused(List<String> keys, List<String> names, List<DataType> types, String... words) {
        assertThatThrownBy(() -> Keys.resolve(keys, names, types))
                .isInstanceOfSatisfying(
                        HeadraceException.class, e -> assertThat(e.category()).isEqualTo(Category.INVALID_INPUT))
                .message()
                .contains(words);
    }
}
