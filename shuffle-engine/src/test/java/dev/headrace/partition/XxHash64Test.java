package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class XxHash64Test {
    private static final XXHash64 OTHER = XXHashFactory.safeInstance().hash64();

    @Test
    void shouldGiveThePublishedAnswers() {
        assertThat(hash("")).isEqualTo(0xEF46DB3751D8E999L);
        assertThat(hash("a")).isEqualTo(0xD24EC4F1A98C6E5BL);
        assertThat(hash("abc")).isEqualTo(0x44BC2CF5AD770999L);
    }

    @Property
    void shouldAgreeWithAnotherImplementationAnywhereInMemory(
            @ForAll @Size(max = 150) byte[] bytes, @ForAll @IntRange(max = 9) int offset) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(bytes.length + offset);
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, offset, bytes.length);
            assertThat(XxHash64.hash(memory, offset, bytes.length)).isEqualTo(OTHER.hash(bytes, 0, bytes.length, 0));
        }
    }

    private static long hash(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        return XxHash64.hash(MemorySegment.ofArray(bytes), 0, bytes.length);
    }
}
