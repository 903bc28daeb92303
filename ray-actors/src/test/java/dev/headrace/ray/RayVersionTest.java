package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RayVersionTest {

    @Test
    void shouldRefuseVersionsThatWereNeverTested() {
        RayVersion.check("2.60.0");
        RayVersion.check("2.60.1.post1");
        assertThatThrownBy(() -> RayVersion.check("2.6.0"))
                .hasMessage("Ray 2.6.0 was never tested with Headrace; tested: 2.60.*");
        assertThatThrownBy(() -> RayVersion.check("3.0.0")).hasMessageContaining("3.0.0");
    }
}
