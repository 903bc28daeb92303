package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

final class MixerTest {
    @Property
    void shouldMixAsTheFinalizerOfTheJavaLibrary(@ForAll long seed) {
        assertThat(Mixer.mix(seed + Mixer.GAMMA)).isEqualTo(new SplittableRandom(seed).nextLong());
    }
}
