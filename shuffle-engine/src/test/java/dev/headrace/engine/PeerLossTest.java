package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.testing.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank that loses another ends every wait of both with one typed error, and frees what the lost one's rows held. */
final class PeerLossTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void shouldEndEveryWaitWhenTheLineBreaksAmidTheShuffle() throws Exception {
        try (LocalRanks cluster = new LocalRanks(2, 32L << 20, folder);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            ShuffleSpec spec = LocalRanks.hash(List.of("k"), 8);
            List<Shuffle> shuffles =
                    List.of(cluster.engine(0).open(spec), cluster.engine(1).open(spec));
            List<Future<int[]>> waits = new ArrayList<>();
            for (Shuffle shuffle : shuffles) {
                waits.add(threads.submit(() -> shuffle.completed(0, PATIENCE)));
            }
            Random random = new Random(5);
            for (int batch = 0; batch < 40; batch++) {
                byte[] rows = Tables.stream(Tables.rows(random, 20_000, 20_000L * batch, 1_000_000, 90));
                LocalRanks.insert(shuffles.get(batch % 2), batch, rows);
            }
            cluster.sever(0, 1);
            for (int rank = 0; rank < 2; rank++) {
                int lost = 1 - rank;
                Future<int[]> wait = waits.get(rank);
                assertThatThrownBy(wait::get).cause().isInstanceOfSatisfying(HeadraceException.class, e -> {
                    assertThat(e.category()).isEqualTo(Category.PEER_LOST);
                    assertThat(e.rank()).isEqualTo(lost);
                });
                Shuffle shuffle = shuffles.get(rank);
                byte[] more = Tables.stream(Tables.rows(random, 10, 0, 9, 9));
                assertThatThrownBy(() -> LocalRanks.insert(shuffle, 99, more)).hasMessageContaining("severed");
            }
            shuffles.forEach(Shuffle::close);
            long all = 32L << 20;
            for (int rank = 0; rank < 2; rank++) {
                Engine engine = cluster.engine(rank);
                Await.until(
                        "rank " + rank + " has freed everything",
                        () -> engine.pool().freeBytes() == all);
            }
            assertThatThrownBy(() -> cluster.engine(0).open(LocalRanks.hash(List.of("k"), 2)))
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.PEER_LOST));
        }
    }
}
