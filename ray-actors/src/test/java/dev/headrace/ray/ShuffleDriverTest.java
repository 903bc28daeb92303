package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class ShuffleDriverTest {

    /** With a schema, which the ranks of these tests don't look at: some shuffles get no batch. */
    private static final ShuffleRequest REQUEST =
            ShuffleRequest.hash(List.of("k"), 5).withSchema(new byte[1]).withTimeout(Duration.ofSeconds(10));

    private static final Duration START = Duration.ofSeconds(2);

    @Test
    void shouldConnectEveryRankWithEveryOther() {
        FakeHost host = new FakeHost(3, 1000);
        new ShuffleDriver(host, START).close();
        assertThat(host.ranks.get(1).heard)
                .containsSubsequence(
                        "describe", "address", "connect 0 at 0", "connect 2 at 2", "awaitConnected", "room")
                .endsWith("shutdown");
        assertThat(host.closed).isTrue();
    }

    @Test
    void shouldHandOutEveryPartitionOnceInOrderOfCompletion() throws IOException {
        FakeHost host = new FakeHost(2, 1000);
        List<String> partitions = new ArrayList<>();
        try (ShuffleDriver driver = new ShuffleDriver(host, START);
                RayShuffle shuffle = driver.shuffle(REQUEST)) {
            for (int i = 0; i < 20; i++) {
                assertThat(shuffle.insert(new byte[10])).isEqualTo(i);
            }
            shuffle.finish();
            assertThat(shuffle.rows()).isEqualTo(200);
            for (RayPartition partition = shuffle.next(); partition != null; partition = shuffle.next()) {
                partitions.add(text(partition));
                partition.release();
                partition.release();
            }
            assertThat(driver.rounds().sentBatches()).isEqualTo(20);
            assertThat(driver.rounds().peakInFlightBytes())
                    .isLessThanOrEqualTo(driver.rounds().peakGrantedBytes());
        }
        assertThat(partitions).containsExactlyInAnyOrder("p0", "p1", "p2", "p3", "p4");
        assertThat(partitions).containsSubsequence("p2", "p1", "p0").containsSubsequence("p4", "p3");
        assertThat(host.storedBatches).hasValue(0);
        assertThat(host.ranks.get(0).heard).contains("finish 10 batches 100 rows", "closeShuffle");
    }

    @Test
    void shouldReadAPartitionAgainUntilItIsReleased() throws IOException {
        try (ShuffleDriver driver = new ShuffleDriver(new FakeHost(2, 1000), START);
                RayShuffle shuffle = driver.shuffle(REQUEST)) {
            shuffle.finish();
            RayPartition partition = shuffle.partition(3);
            assertThat(text(partition)).isEqualTo("p3");
            partition.rewind();
            assertThat(partition.stream().readAllBytes()).asString().isEqualTo("p3");
            partition.release();
            assertThatThrownBy(partition::rewind).hasMessage("partition 3 was released");
            assertThatThrownBy(() -> shuffle.partition(5)).hasMessage("partition is 5, must be from 0 to 4");
        }
    }

    @Test
    void shouldOfferARefusedBatchAgainToTheSameRank() {
        FakeHost host = new FakeHost(1, 1000);
        try (ShuffleDriver driver = new ShuffleDriver(host, START);
                RayShuffle shuffle = driver.shuffle(REQUEST)) {
            host.ranks.get(0).refusals.set(3);
            shuffle.insert(new byte[10]);
            shuffle.finish();
            assertThat(shuffle.rows()).isEqualTo(10);
            assertThat(driver.rounds().refusals()).isEqualTo(3);
            assertThat(host.ranks.get(0).heard.stream().filter("insert 0"::equals))
                    .hasSize(4);
        }
    }

    @Test
    void shouldFailEveryWaiterWhenARankIsLost() throws Exception {
        FakeHost host = new FakeHost(3, 1000);
        try (ShuffleDriver driver = new ShuffleDriver(host, START);
                RayShuffle shuffle = driver.shuffle(REQUEST);
                RayShuffle other = driver.shuffle(REQUEST)) {
            host.ranks.forEach(rank -> rank.completes = false);
            shuffle.insert(new byte[10]);
            shuffle.finish();
            other.finish();
            CompletableFuture<Throwable> first = failureOf(shuffle::next);
            CompletableFuture<Throwable> second = failureOf(() -> other.partition(0));
            host.ranks.get(2).die();
            for (CompletableFuture<Throwable> each : List.of(first, second)) {
                assertLost(each.get(5, TimeUnit.SECONDS), 2);
            }
            assertLost(failureOf(() -> shuffle.insert(new byte[1])).get(), 2);
            assertLost(failureOf(() -> driver.shuffle(REQUEST)).get(), 2);
            assertThat(host.ranks.get(0).heard).contains("abort PEER_LOST");
        }
    }

    @Test
    void shouldWakeAnInsertThatWaitsForRoomWhenARankIsLost() throws Exception {
        FakeHost host = new FakeHost(2, 100);
        try (ShuffleDriver driver = new ShuffleDriver(host, START);
                RayShuffle shuffle = driver.shuffle(REQUEST)) {
            host.ranks.forEach(rank -> rank.silent = true);
            shuffle.insert(new byte[100]);
            shuffle.insert(new byte[100]);
            CompletableFuture<Throwable> waiting = failureOf(() -> shuffle.insert(new byte[100]));
            assertThatThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            host.ranks.get(1).die();
            assertLost(waiting.get(5, TimeUnit.SECONDS), 1);
            host.ranks.get(0).die();
        }
    }

    @Test
    void shouldRefusePromisesThatDoNotAddUp() {
        FakeHost host = new FakeHost(2, 1000);
        try (ShuffleDriver driver = new ShuffleDriver(host, START);
                RayShuffle shuffle = driver.shuffle(REQUEST)) {
            host.ranks.get(1).rowsPromisedTooMany = -1;
            shuffle.insert(new byte[10]);
            assertThatThrownBy(shuffle::finish)
                    .hasMessageContaining("10 rows were fed, but the ranks promise 9 rows")
                    .extracting(failure -> ((HeadraceException) failure).category())
                    .isEqualTo(Category.INTERNAL);
        }
    }

    @Test
    void shouldTellAFailedInsertAtFinishAndAbortAllRanks() {
        FakeHost host = new FakeHost(2, 1000);
        try (ShuffleDriver driver = new ShuffleDriver(host, START);
                RayShuffle shuffle = driver.shuffle(REQUEST)) {
            host.ranks.forEach(rank -> rank.insertFailure = HeadraceException.corruptData("bad magic"));
            assertThatThrownBy(() -> {
                        shuffle.insert(new byte[10]);
                        shuffle.finish();
                    })
                    .hasMessage("bad magic");
            assertThat(host.ranks).allSatisfy(rank -> assertThat(rank.heard).contains("abort CORRUPT_DATA"));
        }
        assertThat(host.storedBatches).hasValue(0);
    }

    @Test
    @SuppressWarnings("try") // closing early is what it tests
    void shouldRefuseCallsInAWrongOrderWithoutEndingTheShuffle() {
        try (ShuffleDriver driver = new ShuffleDriver(new FakeHost(2, 1000), START);
                RayShuffle shuffle = driver.shuffle(REQUEST)) {
            assertThatThrownBy(() -> shuffle.insert(new byte[0])).hasMessageContaining("0 bytes");
            shuffle.finish();
            assertThatThrownBy(() -> shuffle.insert(new byte[1])).hasMessage("insert after finish");
            assertThatThrownBy(shuffle::finish).hasMessage("finish was called before");
            assertThat(shuffle.next()).isNotNull();
            shuffle.close();
            assertThatThrownBy(shuffle::next).hasMessage("the shuffle is closed");
        }
    }

    @Test
    void shouldSayWhyARankDoesNotStart() {
        FakeHost host = new FakeHost(2, 1000);
        host.ranks.get(1).silent = true;
        assertThatThrownBy(() -> new ShuffleDriver(host, Duration.ofMillis(100)))
                .hasMessageContaining("rank 1 did not start")
                .hasMessageContaining("100 ms")
                .hasMessageContaining("the fake has no java");
        assertThat(host.closed).isTrue();
    }

    @Test
    void shouldEndAtTheDeadlineOfTheShuffle() {
        FakeHost host = new FakeHost(1, 1000);
        try (ShuffleDriver driver = new ShuffleDriver(host, START);
                RayShuffle shuffle = driver.shuffle(REQUEST.withTimeout(Duration.ofMillis(300)))) {
            host.ranks.get(0).completes = false;
            shuffle.finish();
            assertThatThrownBy(shuffle::next).hasMessage("of 5 partitions 0 are complete after 300 ms");
        }
    }

    private static String text(RayPartition partition) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        partition.writeTo(bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static CompletableFuture<Throwable> failureOf(Runnable work) {
        return CompletableFuture.runAsync(work).handle((_, failure) -> Failures.cause(failure));
    }

    private static void assertLost(Throwable failure, int rank) throws ExecutionException {
        assertThat(failure).isInstanceOf(HeadraceException.class);
        HeadraceException lost = (HeadraceException) failure;
        assertThat(lost.category()).isEqualTo(Category.PEER_LOST);
        assertThat(lost.rank()).isEqualTo(rank);
        assertThat(lost).hasMessageContaining("rank " + rank);
    }
}
