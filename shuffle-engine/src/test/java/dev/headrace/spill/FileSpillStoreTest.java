package dev.headrace.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.MemoryTier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSpillStoreTest {
    private final MemoryBudget disk = new MemoryBudget(MemoryTier.DISK, 1 << 20);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path one = Path.of("/");
    private Path two = Path.of("/");

    @BeforeEach
    void makeDirectories() throws IOException {
        one = Files.createDirectory(directory.resolve("one"));
        two = Files.createDirectory(directory.resolve("two"));
    }

    @Test
    void shouldGiveBackWhatWasWritten() {
        try (FileSpillStore store = new FileSpillStore(List.of(one), disk);
                Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocate(10_000);
            MemorySegment.copy(MemorySegment.ofArray(random(1, 10_000)), 0, source, 0, 10_000);
            try (SpillExtent first = store.write(source);
                    SpillExtent second = store.write(source.asSlice(5, 100));
                    SpillExtent empty = store.write(source.asSlice(0, 0))) {
                source.fill((byte) 0);
                assertThat(read(first, 0, 10_000)).isEqualTo(random(1, 10_000));
                assertThat(read(second, 10, 20)).startsWith(random(1, 16)[15]);
                assertThat(read(empty, 0, 0)).isEmpty();
                assertThat(store.usedBytes()).isEqualTo(10_100);
                assertThat(disk.usedBytes()).isEqualTo(10_100);
            }
            assertThat(store.usedBytes()).isZero();
            assertThat(disk.usedBytes()).isZero();
            assertThat(store.writtenBytes()).isEqualTo(10_100);
            assertThat(store.readBytes()).isEqualTo(10_020);
        }
    }

    @Test
    void shouldLeaveNoNamesInItsDirectories() throws IOException {
        try (FileSpillStore store = new FileSpillStore(List.of(one), disk);
                SpillExtent extent = store.write(MemorySegment.ofArray(random(2, 10)));
                var names = Files.list(one)) {
            assertThat(names).isEmpty();
            assertThat(extent.bytes()).isEqualTo(10);
        }
    }

    @Test
    void shouldCloseAFileWhenItIsFullAndItsExtentsAreClosed() {
        try (FileSpillStore store = new FileSpillStore(List.of(one), disk, 100)) {
            SpillExtent first = store.write(MemorySegment.ofArray(random(3, 60)));
            SpillExtent second = store.write(MemorySegment.ofArray(random(4, 60)));
            SpillExtent third = store.write(MemorySegment.ofArray(random(5, 60)));
            assertThat(openFiles()).isEqualTo(2);
            first.close();
            assertThat(openFiles()).isEqualTo(2);
            assertThat(read(second, 0, 60)).isEqualTo(random(4, 60));
            second.close();
            assertThat(openFiles()).isEqualTo(1);
            assertThat(read(third, 0, 60)).isEqualTo(random(5, 60));
            third.close();
        }
        assertThat(openFiles()).isZero();
    }

    @Test
    void shouldGoRoundOverItsDirectoriesAndPassOverBrokenOnes() throws IOException {
        try (FileSpillStore store = new FileSpillStore(List.of(one, two), disk, 1)) {
            List<SpillExtent> extents = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                extents.add(store.write(MemorySegment.ofArray(random(i, 10))));
            }
            assertThat(extents.stream().filter(extent -> extent.toString().contains(one.toString())))
                    .hasSize(2);
            Files.delete(one);
            extents.add(store.write(MemorySegment.ofArray(random(4, 10))));
            assertThat(extents.getLast().toString()).contains(two.toString());
            Files.delete(two);
            assertThatThrownBy(() -> store.write(MemorySegment.ofArray(random(5, 10))))
                    .isInstanceOfSatisfying(HeadraceException.class, e -> {
                        assertThat(e.category()).isEqualTo(Category.DISK_FULL);
                        assertThat(e)
                                .hasMessageContaining(one.toString())
                                .hasMessageContaining(two.toString())
                                .hasMessageContaining("10 bytes");
                    });
            assertThat(disk.usedBytes()).isEqualTo(50);
            for (int i = 0; i < 5; i++) {
                assertThat(read(extents.get(i), 0, 10)).isEqualTo(random(i, 10));
                extents.get(i).close();
            }
        }
    }

    @Test
    void shouldRefuseToPassTheDiskLimit() {
        try (FileSpillStore store = new FileSpillStore(List.of(one), disk)) {
            assertThatThrownBy(() -> store.write(MemorySegment.ofArray(new byte[(1 << 20) + 1])))
                    .isInstanceOfSatisfying(HeadraceException.class, e -> {
                        assertThat(e.category()).isEqualTo(Category.DISK_FULL);
                        assertThat(e).hasMessageContaining("1048577").hasMessageContaining("limit of 1048576");
                    });
        }
    }

    @Test
    void shouldNameADirectoryThatCannotBeUsed() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        for (Path bad : List.of(directory.resolve("missing"), file, Path.of("/proc"))) {
            assertThatThrownBy(() -> new FileSpillStore(List.of(one, bad), disk))
                    .isInstanceOfSatisfying(HeadraceException.class, e -> {
                        assertThat(e.category()).isEqualTo(Category.INVALID_INPUT);
                        assertThat(e).hasMessageContaining(bad.toString());
                    });
        }
        assertThatThrownBy(() -> new FileSpillStore(List.of(), disk)).hasMessageContaining("no spill directory");
    }

    @Test
    void shouldGuardAgainstMisuse() {
        FileSpillStore store = new FileSpillStore(List.of(one), disk);
        SpillExtent extent = store.write(MemorySegment.ofArray(random(1, 10)));
        assertThatThrownBy(() -> read(extent, 5, 6)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(store::close).hasMessageContaining("1 extents of 10 bytes");
        assertThat(read(extent, 0, 10)).isEqualTo(random(1, 10));
        extent.close();
        assertThatThrownBy(extent::close).hasMessageContaining("closed twice");
        assertThatThrownBy(() -> read(extent, 0, 1)).hasMessageContaining("closed");
        assertThatThrownBy(() -> store.write(MemorySegment.ofArray(new byte[1])))
                .hasMessageContaining("closed");
        assertThat(disk.usedBytes()).isZero();
    }

    @Test
    void shouldKeepTheDataOfInterruptedThreads() {
        try (FileSpillStore store = new FileSpillStore(List.of(one), disk)) {
            Thread.currentThread().interrupt();
            try (SpillExtent extent = store.write(MemorySegment.ofArray(random(7, 1000)))) {
                assertThat(read(extent, 0, 1000)).isEqualTo(random(7, 1000));
                assertThat(Thread.interrupted()).isTrue();
                assertThat(read(extent, 0, 1000)).isEqualTo(random(7, 1000));
            }
        }
    }

    @Test
    void shouldServeManyThreads() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed of shouldServeManyThreads: " + seed);
        try (FileSpillStore store = new FileSpillStore(List.of(one, two), disk, 20_000);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<@Nullable Void>> runs = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(seed + thread);
                runs.add(threads.submit((Callable<@Nullable Void>) () -> {
                    for (int i = 0; i < 300; i++) {
                        byte[] bytes = random(random.nextLong(), random.nextInt(10_000));
                        try (SpillExtent extent = store.write(MemorySegment.ofArray(bytes))) {
                            assertThat(read(extent, 0, bytes.length)).isEqualTo(bytes);
                        }
                    }
                    return null;
                }));
            }
            for (Future<@Nullable Void> run : runs) {
                run.get();
            }
            assertThat(store.usedBytes()).isZero();
        }
        assertThat(openFiles()).isZero();
    }

    private static byte[] read(SpillExtent extent, long offset, int length) {
        MemorySegment target = MemorySegment.ofArray(new byte[length]);
        extent.read(offset, target);
        return target.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Descriptors of this process that lead into the test's directory. */
    private long openFiles() {
        try (var descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            long count = 0;
            for (Path descriptor : descriptors) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor).toString().contains(directory.toString())) {
                    count++;
                }
            }
            return count;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
