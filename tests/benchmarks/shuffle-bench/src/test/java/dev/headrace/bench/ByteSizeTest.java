package dev.headrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

/** Sizes in and out. */
final class ByteSizeTest {

    @ParameterizedTest
    @CsvSource({"12, 12", "1.5 GB, 1500000000", "256MiB, 268435456", "2k, 2048"})
    void shouldReadSizes(String text, long bytes) {
        assertThat(new ByteSize().convert(text)).isEqualTo(bytes);
    }

    @Test
    void shouldRefuseWhatIsNoSize() {
        assertThatThrownBy(() -> new ByteSize().convert("many")).isInstanceOf(TypeConversionException.class);
        assertThatThrownBy(() -> new ByteSize().convert("3 miles")).isInstanceOf(TypeConversionException.class);
    }

    @Test
    void shouldShowSizesInTheUnitThatFits() {
        assertThat(ByteSize.shown(1_023)).isEqualTo("1023 B");
        assertThat(ByteSize.shown(3L << 29)).isEqualTo("1.50 GiB");
    }
}
