package dev.headrace.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.HeadraceException;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class LayoutTest {

    @Property(tries = 200)
    void shouldDecodeWhatItEncoded(@ForAll long seed) {
        Layout layout = Layout.of(new RandomTypes(new Random(seed)).columns(5, 4));
        Layout decoded = Layout.decode(MemorySegment.ofArray(layout.encoded()));
        assertThat(decoded).isEqualTo(layout).hasSameHashCodeAs(layout);
        assertThat(decoded.columns()).isEqualTo(layout.columns());
        assertThat(decoded.fingerprint()).isEqualTo(layout.fingerprint());
    }

    @Property(tries = 100)
    void shouldRefuseOrDecodeBrokenBytes(@ForAll long seed) {
        Random random = new Random(seed);
        byte[] encoded = Layout.of(new RandomTypes(random).columns(5, 4)).encoded();
        for (int length = 0; length < encoded.length; length++) {
            MemorySegment cut = MemorySegment.ofArray(encoded).asSlice(0, length);
            Corruption.shouldBeRefused(() -> Layout.decode(cut));
        }
        for (int i = 0; i < 200; i++) {
            byte[] broken = encoded.clone();
            broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            Corruption.shouldBeReadableOrRefused(() -> Layout.decode(MemorySegment.ofArray(broken)));
        }
    }

    @Test
    void shouldTellTypesApart() {
        DataType seconds = new DataType.Fixed(8, new Meaning.Timestamp(TimeUnit.SECOND, "UTC"));
        DataType local = new DataType.Fixed(8, new Meaning.Timestamp(TimeUnit.SECOND, ""));
        assertThat(fingerprint(seconds)).isNotEqualTo(fingerprint(local));
        assertThat(fingerprint(new DataType.Binary(false, true)))
                .isNotEqualTo(fingerprint(new DataType.Binary(false, false)));
        assertThat(fingerprint()).isNotEqualTo(fingerprint(new DataType.Struct(List.of())));
    }

    @Test
    void shouldKeepTheFingerprintThatIsOnDisksAndWires() {
        assertThat(fingerprint(new DataType.Fixed(8, new Meaning.SignedInt()), new DataType.Binary(false, true)))
                .isEqualTo(GOLDEN);
    }

    @Test
    void shouldRefuseBottomlessTypes() {
        DataType type = new DataType.Bool();
        for (int i = 0; i < 300; i++) {
            type = new DataType.FixedList(1, type);
        }
        DataType deep = type;
        assertThatThrownBy(() -> Layout.of(List.of(deep)))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("256");
    }

    @Property(tries = 60)
    void shouldBoundWhatABlockCostsBesideItsRows(@ForAll long seed) {
        Random random = new Random(seed);
        try (Arena arena = Arena.ofConfined()) {
            Layout layout = Layout.of(new RandomTypes(random).columns(5, 3));
            List<Column> none = new RandomColumns(random, arena).columns(layout.columns(), 0);
            BlockBuilder builder = new BlockBuilder(layout);
            builder.addRange(none, 0, 0);
            builder.addEntry(0, 0, 0, 0, 0);
            assertThat(builder.bytes()).isLessThanOrEqualTo(layout.overheadBytes());
        }
    }

    private static long fingerprint(DataType... types) {
        return Layout.of(List.of(types)).fingerprint();
    }

    private static final long GOLDEN = 4_570_023_759_964_516_522L;
}
