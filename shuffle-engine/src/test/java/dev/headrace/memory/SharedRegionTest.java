package dev.headrace.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedRegionTest {

    @Test
    void shouldHaveExactlyTheBytesAskedForAllZero() {
        try (SharedRegion region = SharedRegion.create(10_001)) {
            assertThat(region.segment().byteSize()).isEqualTo(10_001);
            assertThat(region.segment().mismatch(MemorySegment.ofArray(new byte[10_001])))
                    .isEqualTo(-1);
        }
    }

    @Test
    void shouldBeLargerThanAnIntCanSayWithoutCostingMemory() {
        try (SharedRegion region = SharedRegion.create(5L << 30)) {
            region.segment().set(ValueLayout.JAVA_BYTE, (5L << 30) - 1, (byte) 7);
            assertThat(region.segment().get(ValueLayout.JAVA_BYTE, (5L << 30) - 1))
                    .isEqualTo((byte) 7);
        }
    }

    @Test
    void shouldBeReadableThroughItsDescriptor() throws IOException {
        try (SharedRegion region = SharedRegion.create(8192)) {
            region.segment().set(ValueLayout.JAVA_BYTE, 5000, (byte) 42);
            try (FileChannel channel = SharedRegion.openOf(region.pid(), region.fileDescriptor(), region.identity())) {
                ByteBuffer target = ByteBuffer.allocateDirect(1);
                assertThat(channel.read(target, 5000)).isEqualTo(1);
                assertThat(target.get(0)).isEqualTo((byte) 42);
            }
        }
    }

    @Test
    void shouldBeReadableByAnotherProcessWhileThisOneLives() throws Exception {
        try (SharedRegion region = SharedRegion.create(4096)) {
            region.segment().setString(0, "from the other side");
            Process peer = new ProcessBuilder(
                            "head", "-c", "19", "/proc/" + region.pid() + "/fd/" + region.fileDescriptor())
                    .redirectErrorStream(true)
                    .start();
            assertThat(new String(peer.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("from the other side");
            assertThat(peer.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldNotBeInheritedByChildProcesses() throws Exception {
        try (SharedRegion region = SharedRegion.create(4096)) {
            Process child = new ProcessBuilder("ls", "-l", "/proc/self/fd").start();
            String descriptors =
                    new String(child.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(descriptors).doesNotContain("headrace").contains("->");
            assertThat(region.segment().byteSize()).isEqualTo(4096);
        }
    }

    @Test
    void shouldNotBeTakenForAnotherRegion() {
        try (SharedRegion one = SharedRegion.create(4096);
                SharedRegion other = SharedRegion.create(4096)) {
            assertThatThrownBy(() -> SharedRegion.openOf(one.pid(), one.fileDescriptor(), other.identity()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(other.identity());
            assertThat(one.identity()).hasSizeLessThanOrEqualTo(100);
        }
    }

    @Test
    void shouldTellWhereMemoryLies() {
        try (SharedRegion one = SharedRegion.create(4096);
                SharedRegion other = SharedRegion.create(4096)) {
            MemorySegment slice = one.segment().asSlice(100, 50);
            assertThat(one.contains(slice)).isTrue();
            assertThat(one.offsetOf(slice)).isEqualTo(100);
            assertThat(one.contains(one.segment().asSlice(4096, 0))).isTrue();
            assertThat(other.contains(slice)).isFalse();
            assertThat(one.contains(MemorySegment.ofArray(new byte[1]))).isFalse();
            assertThatThrownBy(() -> other.offsetOf(slice)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldKeepWhatATouchedRangeHolds() {
        try (SharedRegion region = SharedRegion.create(1 << 20)) {
            region.segment().set(ValueLayout.JAVA_INT, 4096, 99);
            boolean touched = region.touch(0, 1 << 20);
            assertThat(region.segment().get(ValueLayout.JAVA_INT, 4096))
                    .as("touched: %s", touched)
                    .isEqualTo(99);
        }
    }

    @Test
    void shouldRefuseMemoryAfterClose() {
        SharedRegion region = SharedRegion.create(4096);
        MemorySegment slice = region.segment().asSlice(0, 8);
        region.close();
        assertThatThrownBy(() -> slice.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNameTheBytesThatCannotBeHad() {
        assertThatThrownBy(() -> SharedRegion.create(Long.MAX_VALUE))
                .isInstanceOfSatisfying(HeadraceException.class, e -> {
                    assertThat(e.category()).isEqualTo(Category.OUT_OF_MEMORY);
                    assertThat(e).hasMessageContaining("9223372036854775807 bytes");
                });
    }

    @Test
    void shouldFallBackToAFileWithoutAName(@TempDir Path directory) throws IOException {
        IOException cause = new IOException("no memory files here");
        try (UnlinkedFile file = SharedRegion.fallback(cause, List.of(directory.resolve("missing"), directory))) {
            file.write(10, MemorySegment.ofArray(new byte[] {1, 2, 3}));
            MemorySegment back = MemorySegment.ofArray(new byte[13]);
            file.read(0, back);
            assertThat(back.toArray(ValueLayout.JAVA_BYTE)).endsWith(0, 1, 2, 3);
            try (var names = Files.list(directory)) {
                assertThat(names).isEmpty();
            }
        }
        assertThatThrownBy(() -> SharedRegion.fallback(cause, List.of())).isSameAs(cause);
    }
}
