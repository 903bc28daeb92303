package dev.headrace.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.MemoryTier;
import dev.headrace.spill.FileSpillStore;
import dev.headrace.spill.SpillExtent;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlakySpillStoreTest {

    @Test
    void shouldFailOnDemandOnly(@TempDir Path directory) {
        long seed = new Random().nextLong();
        System.out.println("seed of shouldFailOnDemandOnly: " + seed);
        MemoryBudget disk = new MemoryBudget(MemoryTier.DISK, 1000);
        MemorySegment bytes = MemorySegment.ofArray(new byte[100]);
        MemorySegment back = MemorySegment.ofArray(new byte[100]);
        try (FlakySpillStore store = new FlakySpillStore(new FileSpillStore(List.of(directory), disk), seed);
                SpillExtent extent = store.write(bytes)) {
            extent.read(0, back);
            assertThat(back.mismatch(bytes)).isEqualTo(-1);
            store.corruptReads(1).delay(Duration.ofNanos(1000));
            extent.read(0, back);
            assertThat(back.mismatch(bytes)).isNotEqualTo(-1);
            store.diskFullAfter(150);
            store.write(bytes).close();
            assertThatThrownBy(() -> store.write(bytes))
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.DISK_FULL));
            assertThat(store.usedBytes()).isEqualTo(100);
            assertThat(store.writtenBytes()).isEqualTo(200);
            assertThat(store.readBytes()).isEqualTo(200);
        }
    }
}
