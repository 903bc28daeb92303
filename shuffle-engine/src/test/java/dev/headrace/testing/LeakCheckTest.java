package dev.headrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.memory.SharedRegion;
import dev.headrace.memory.UnlinkedFile;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeakCheckTest {

    @Test
    void shouldNameWhatIsLeftOpen() throws Exception {
        LeakCheck.Snapshot before = LeakCheck.snapshot();
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().name("forgotten").start(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (SharedRegion region = SharedRegion.create(4096);
                UnlinkedFile file = UnlinkedFile.inMemory("left-open")) {
            assertThat(LeakCheck.leaks(before, null))
                    .anyMatch(leak -> leak.contains("forgotten"))
                    .anyMatch(leak -> leak.contains(region.toString()))
                    .anyMatch(leak -> leak.contains("left-open"))
                    .as("%s", file)
                    .hasSize(4);
        }
        end.countDown();
        thread.join();
        assertThat(LeakCheck.leaks(before, null)).isEmpty();
    }

    @Test
    void shouldLetPassWhatAClassAllows() throws IOException {
        LeakCheck.Snapshot before = LeakCheck.snapshot();
        LeakCheck.Allow allow = Allowing.class.getAnnotation(LeakCheck.Allow.class);
        try (UnlinkedFile file = UnlinkedFile.inMemory("library")) {
            assertThat(LeakCheck.leaks(before, allow)).as("%s", file).isEmpty();
        }
    }

    @LeakCheck.Allow(descriptors = ".*library.*")
    private static final class Allowing {}
}
