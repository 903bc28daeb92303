package dev.headrace.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What broken bytes may lead to. */
final class Corruption {
    private Corruption() {}

    static void shouldBeRefused(ThrowingCallable reading) {
        assertThatThrownBy(reading)
                .isInstanceOfSatisfying(
                        HeadraceException.class,
                        refusal -> assertThat(refusal.category()).isEqualTo(Category.CORRUPT_DATA));
    }

    static void shouldBeReadableOrRefused(Runnable reading) {
        try {
            reading.run();
        } catch (HeadraceException refusal) {
            assertThat(refusal.category()).isEqualTo(Category.CORRUPT_DATA);
        }
    }
}
