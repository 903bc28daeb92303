package dev.headrace.partition;

import static dev.headrace.partition.TestColumns.hashes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;

/** Equal values have equal hashes, whatever they are stored in. */
final class KeyHashPropertyTest {
    @Property
    void shouldHashIntegersByValue(@ForAll byte value) {
        long expected = hash(TestColumns.longs(value));
        for (int width : new int[] {1, 2, 4, 8}) {
            assertThat(hash(TestColumns.integers(TestColumns.integer(width), List.of(value))))
                    .isEqualTo(expected);
            if (value >= 0) {
                assertThat(hash(TestColumns.integers(TestColumns.unsigned(width), List.of(value))))
                        .isEqualTo(expected);
            }
        }
    }

    @Property
    void shouldHashFloatsByValue(@ForAll float value) {
        Column single = number(TestColumns.floating(4), Float.floatToRawIntBits(value));
        Column twice = number(TestColumns.floating(8), Double.doubleToRawLongBits(value));
        assertThat(hash(single)).isEqualTo(hash(twice));
    }

    @Property
    void shouldHashHalvesByValue(@ForAll short bits) {
        double value = Float.float16ToFloat(bits);
        assertThat(hash(number(TestColumns.floating(2), bits)))
                .isEqualTo(hash(number(TestColumns.floating(8), Double.doubleToRawLongBits(value))));
    }

    @Property
    void shouldTakeAllNansForOne(@ForAll long payload) {
        long nan = payload | 0x7FF0000000000001L;
        assertThat(hash(number(TestColumns.floating(8), nan)))
                .isEqualTo(hash(number(TestColumns.floating(8), 0x7FF8000000000000L)));
    }

    @Property
    void shouldHashDecimalsByValue(
            @ForAll
                    @BigRange(
                            min = "-9999999999999999999999999999999999999",
                            max = "9999999999999999999999999999999999999")
                    BigInteger unscaled,
            @ForAll @IntRange(min = -20, max = 40) int scale,
            @ForAll @IntRange(max = 38) int zeros) {
        BigInteger padded = unscaled.multiply(BigInteger.TEN.pow(zeros));
        BigDecimal value = new BigDecimal(unscaled, scale);
        long expected = hash(number(TestColumns.decimal(16, scale), unscaled));
        assertThat(hash(number(TestColumns.decimal(32, scale + zeros), padded))).isEqualTo(expected);
        BigDecimal stripped = value.stripTrailingZeros();
        Column least = number(TestColumns.decimal(32, stripped.scale()), stripped.unscaledValue());
        assertThat(hash(least)).isEqualTo(expected);
    }

    @Property
    void shouldTellDecimalsApart(@ForAll long a, @ForAll long b, @ForAll @IntRange(min = -5, max = 5) int scale) {
        BigDecimal x = new BigDecimal(BigInteger.valueOf(a), scale);
        BigDecimal y = new BigDecimal(BigInteger.valueOf(b), 0);
        boolean same = hash(number(TestColumns.decimal(8, scale), a)) == hash(number(TestColumns.decimal(8, 0), b));
        assertThat(same).isEqualTo(x.compareTo(y) == 0);
    }

    @Property
    void shouldHashTimesByInstant(@ForAll @IntRange(min = -1_000_000_000, max = 1_000_000_000) int seconds) {
        BigInteger nanos = BigInteger.valueOf(seconds).multiply(BigInteger.valueOf(1_000_000_000));
        long expected = hash(number(TestColumns.timestamp(TimeUnit.SECOND, "Asia/Kathmandu"), seconds));
        for (TimeUnit unit : TimeUnit.values()) {
            BigInteger count = nanos.divide(BigInteger.valueOf(unit.nanos()));
            assertThat(hash(number(TestColumns.timestamp(unit, ""), count))).isEqualTo(expected);
        }
        assertThat(hash(number(TestColumns.date(8), 1_000L * seconds))).isEqualTo(expected);
    }

    @Property
    void shouldHashDaysAsTheirMidnight(@ForAll int days) {
        long expected = hash(number(TestColumns.date(4), days));
        assertThat(hash(number(TestColumns.timestamp(TimeUnit.SECOND, ""), 86_400L * days)))
                .isEqualTo(expected);
        assertThat(hash(number(TestColumns.date(8), 86_400_000L * days))).isEqualTo(expected);
    }

    @Property
    void shouldHashBytesInAnyLayout(@ForAll @NotEmpty @Size(max = 20) List<byte @Size(max = 40) []> values) {
        long[] expected = hashes(0, TestColumns.binary(TestColumns.STRING, List.copyOf(values)));
        assertThat(hashes(0, TestColumns.binary(new DataType.Binary(true, false), List.copyOf(values))))
                .isEqualTo(expected);
        assertThat(hashes(0, TestColumns.views(List.copyOf(values)))).isEqualTo(expected);
    }

    private static Column number(DataType type, Number value) {
        return TestColumns.integers(type, Collections.singletonList(value));
    }

    private static long hash(Column column) {
        return hashes(0, column)[0];
    }
}
