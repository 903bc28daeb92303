package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each mistake ends in one error that names the value; afterwards the same ranks still shuffle. */
final class ShuffleErrorTest {
    private static final byte[] BATCH = Tables.stream(Tables.rows(new Random(3), 500, 0, 50, 9));

    @TempDir
    Path folder;

    private LocalRanks cluster;

    @BeforeEach
    void start() {
        cluster = new LocalRanks(2, 64L << 20, folder);
    }

    @AfterEach
    void shouldStillShuffleAfterwards() {
        try (LocalRanks ranks = cluster) {
            assertThat(ranks.shuffle(LocalRanks.hash(List.of("k"), 3), List.of(BATCH, BATCH)))
                    .hasSize(3);
        }
    }

    private void refuse(ShuffleSpec spec, List<byte[]> batches, Category category, String... words) {
        assertThatThrownBy(() -> cluster.shuffle(spec, batches)).isInstanceOfSatisfying(HeadraceException.class, e -> {
            assertThat(e.category()).isEqualTo(category);
            assertThat(List.of(words))
                    .allSatisfy(word -> assertThat(e.getMessage()).contains(word));
        });
    }

    @Test
    void shouldNameAKeyThatIsNoColumn() {
        refuse(LocalRanks.hash(List.of("nope"), 2), List.of(BATCH), Category.INVALID_INPUT, "nope", "id");
    }

    @Test
    void shouldRefuseNoPartitionsAndNoKeys() {
        assertThatThrownBy(() -> LocalRanks.hash(List.of("k"), 0)).hasMessageContaining("partitions is 0");
        assertThatThrownBy(() -> LocalRanks.hash(List.of(), 2)).hasMessageContaining("key");
    }

    @Test
    void shouldRefuseMorePartitionsThanTheHeapCanCount() {
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), Integer.MAX_VALUE);
        assertThatThrownBy(() -> cluster.engine(0).open(spec))
                .isInstanceOfSatisfying(
                        HeadraceException.class, e -> assertThat(e.category()).isEqualTo(Category.OUT_OF_MEMORY))
                .hasMessageContaining("2147483647 partitions")
                .hasMessageContaining("0 are open");
    }

    @Test
    void shouldHaveRoomAgainForThePartitionsOfAClosedShuffle() {
        PartitionRoom room = new PartitionRoom(1 << 20);
        room.take(4000);
        assertThatThrownBy(() -> room.take(100)).hasMessageContaining("4000 are open");
        room.giveBack(4000);
        room.take(4096);
    }

    @Test
    void shouldRefuseABatchThatIsCutShortAnywhere() {
        for (int length : new int[] {0, 3, 8, 100, BATCH.length / 2, BATCH.length - 200}) {
            refuse(LocalRanks.hash(List.of("k"), 2), List.of(Arrays.copyOf(BATCH, length)), Category.CORRUPT_DATA);
        }
    }

    @Test
    void shouldAskForASchemaWhereThereIsNoBatch() {
        refuse(LocalRanks.hash(List.of("k"), 2), List.of(), Category.INVALID_INPUT, "schema");
    }

    @Test
    void shouldCountABatchOnceAndRefuseItWithOtherRows() {
        byte[] other = Tables.stream(Tables.rows(new Random(4), 500, 0, 50, 9));
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), 2);
        try (Shuffle shuffle = cluster.engine(0).open(spec);
                Shuffle peer = cluster.engine(1).open(spec)) {
            assertThat(peer).isNotNull();
            assertThatOneBatchIsTold(shuffle, BATCH, 500, other);
            assertThat(shuffle.finish(new long[] {0}, 500)).isEqualTo(500);
        }
    }

    @Test
    void shouldTellALargeBatchFromAnotherByASample() {
        byte[] large = Tables.stream(Tables.rows(new Random(4), 60_000, 0, 50, 90));
        byte[] other = Tables.stream(Tables.rows(new Random(4), 60_000, 1, 50, 90));
        assertThat(large).hasSameSizeAs(other).hasSizeGreaterThan(2 << 20);
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), 2);
        try (Shuffle shuffle = cluster.engine(0).open(spec);
                Shuffle peer = cluster.engine(1).open(spec)) {
            assertThat(peer).isNotNull();
            assertThatOneBatchIsTold(shuffle, large, 60_000, other);
        }
    }

    private static void assertThatOneBatchIsTold(Shuffle shuffle, byte[] batch, long rows, byte[] other) {
        assertThat(LocalRanks.insert(shuffle, 0, batch)).isEqualTo(rows);
        assertThat(LocalRanks.insert(shuffle, 0, batch)).isEqualTo(rows);
        assertThatThrownBy(() -> LocalRanks.insert(shuffle, 0, other))
                .hasMessageContaining("batch 0 was inserted before with other rows");
    }

    @Test
    void shouldLeaveNothingWhenAShuffleIsClosedWhileInsertsWaitForMemory() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            Engine engine = cluster.engine(0);
            long free = engine.pool().freeBytes();
            for (int round = 0; round < 20; round++) {
                ShuffleSpec spec = LocalRanks.hash(List.of("k"), 64);
                Shuffle shuffle = engine.open(spec);
                List<Future<?>> inserting = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    long first = i * 1_000L;
                    inserting.add(threads.submit(() -> {
                        for (long batch = first; ; batch++) {
                            LocalRanks.insert(shuffle, batch, BATCH);
                        }
                    }));
                }
                Await.until("inserts are under way", () -> engine.pool().freeBytes() < free);
                shuffle.close();
                for (Future<?> insert : inserting) {
                    assertThatThrownBy(insert::get).hasRootCauseInstanceOf(HeadraceException.class);
                }
            }
            Await.until("all memory is back", () -> engine.pool().freeBytes() == free);
        }
    }

    @Test
    void shouldRefuseAnInsertAfterFinishAndAFinishThatDiffers() {
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), 2);
        try (Shuffle shuffle = cluster.engine(0).open(spec);
                Shuffle other = cluster.engine(1).open(spec)) {
            assertThat(other).isNotNull();
            LocalRanks.insert(shuffle, 7, BATCH);
            assertThatThrownBy(() -> shuffle.finish(new long[] {7}, 499)).hasMessageContaining("499", "500");
            assertThatThrownBy(() -> shuffle.finish(new long[] {}, 0)).hasMessageContaining("[7]");
            shuffle.finish(new long[] {7}, 500);
            assertThatThrownBy(() -> LocalRanks.insert(shuffle, 8, BATCH))
                    .hasMessageContaining("after it was finished");
        }
    }

    @Test
    void shouldRefuseToFetchWhatIsForeignIncompleteOrReleased() {
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), 4);
        try (Shuffle zero = cluster.engine(0).open(spec);
                Shuffle one = cluster.engine(1).open(spec)) {
            assertThatThrownBy(() -> zero.fetch(0, 0)).hasMessageContaining("not complete");
            LocalRanks.insert(zero, 0, BATCH);
            zero.finish(new long[] {0}, 500);
            one.finish(new long[] {}, 0);
            assertThat(zero.completed(0, Duration.ofSeconds(30))).isNotEmpty();
            zero.completed(1, Duration.ofSeconds(30));
            assertThatThrownBy(() -> zero.fetch(3, 0)).hasMessageContaining("partition 3 is unknown to rank 0");
            assertThat(zero.fetch(0, 0).bytes()).isEqualTo(zero.fetch(0, 0).bytes());
            zero.release(0);
            zero.release(0);
            assertThatThrownBy(() -> zero.fetch(0, 0)).hasMessageContaining("released");
        }
    }

    @Test
    void shouldRefuseAWireIdThatWasUsed() {
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), 4);
        cluster.engine(0).open(spec).close();
        assertThatThrownBy(() -> cluster.engine(0).open(spec)).hasMessageContaining("opened before");
    }

    @Test
    void shouldEndOnAllRanksWithTheErrorOfOne() {
        ShuffleSpec spec = LocalRanks.hash(List.of("k"), 4);
        try (Shuffle zero = cluster.engine(0).open(spec);
                Shuffle one = cluster.engine(1).open(spec)) {
            zero.abort(HeadraceException.invalidInput("the caller gave up"));
            assertThatThrownBy(() -> one.completed(0, Duration.ofSeconds(30))).hasMessageContaining("gave up");
        }
    }

    @Test
    void shouldNameWhatIsMissingWhenTheTimeIsOver() {
        ShuffleSpec asked = LocalRanks.hash(List.of("k"), 4);
        ShuffleSpec spec = new ShuffleSpec(asked.wireId(), asked.rule(), 4, new byte[0], Duration.ofMillis(300));
        try (Shuffle zero = cluster.engine(0).open(spec);
                Shuffle one = cluster.engine(1).open(spec)) {
            zero.finish(new long[] {}, 0);
            assertThatThrownBy(() -> zero.completed(0, Duration.ofSeconds(30)))
                    .hasMessageContaining("ranks [1] have not finished")
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.DEADLINE));
            assertThat(one).isNotNull();
        }
    }
}
