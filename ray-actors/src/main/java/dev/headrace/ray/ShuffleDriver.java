package dev.headrace.ray;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.ucx.JobKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The Java door to Headrace: makes ranks on a running Ray and shuffles over them, many shuffles at once. Owns the ranks
 * until {@link #close}; every method may be called from any thread. Never starts and never stops Ray itself: the Ray
 * that {@code Ray.init()} connects to must have been started with a {@code java} on its PATH.
 *
 * <pre>{@code
 * Ray.init();
 * try (ShuffleDriver driver = ShuffleDriver.start(DriverSettings.of(2, 256L << 20, List.of(Path.of("/tmp"))));
 *         RayShuffle shuffle = driver.shuffle(ShuffleRequest.hash(List.of("k"), 32))) {
 *     shuffle.insert(arrowIpcStream);
 *     shuffle.finish();
 *     for (RayPartition partition = shuffle.next(); partition != null; partition = shuffle.next()) {
 *         partition.writeTo(file);
 *         partition.release();
 *     }
 * }
 * }</pre>
 */
public final class ShuffleDriver implements AutoCloseable {

    static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /** Low bits of a wire id count the shuffles of a driver, the others are drawn by chance once per driver. */
    private static final int COUNTER_BITS = 24;

    private final RankHost host;
    private final List<Rank> ranks = new ArrayList<>();
    private final Set<RayShuffle> shuffles = ConcurrentHashMap.newKeySet();
    private final AtomicLong nextWireId =
            new AtomicLong(new SecureRandom().nextLong() >>> 1 >>> COUNTER_BITS << COUNTER_BITS);
    private final Rounds rounds;
    private volatile boolean closed;

    /** Takes over the host, also when it fails. */
    ShuffleDriver(RankHost host, Duration startTimeout) {
        this.host = host;
        try {
            for (int rank = 0; rank < host.ranks(); rank++) {
                ranks.add(new Rank(rank, host.calls(rank), this::onRankLost));
            }
            Mesh.awaitStarted(ranks, host, TimeLimit.after(startTimeout));
            Mesh.connect(ranks, TimeLimit.after(startTimeout));
            this.rounds = new Rounds(Mesh.room(ranks, TimeLimit.after(startTimeout)));
        } catch (RuntimeException failure) {
            host.close();
            throw failure;
        }
    }

    /**
     * Makes the ranks on the Ray that this program is connected to and connects them to each other.
     *
     * @throws HeadraceException if a rank does not start or connect in time; the message says why
     */
    public static ShuffleDriver start(DriverSettings settings) {
        return new ShuffleDriver(RayHost.start(settings, JobKey.random()), settings.startTimeout());
    }

    public int ranks() {
        return ranks.size();
    }

    /** Opens a shuffle on every rank. */
    public RayShuffle shuffle(ShuffleRequest request) {
        if (closed) {
            throw HeadraceException.invalidInput("the driver is closed");
        }
        RayShuffle shuffle =
                new RayShuffle(nextWireId.getAndIncrement(), request, ranks, host, rounds, shuffles::remove);
        shuffles.add(shuffle);
        try {
            for (Rank rank : ranks) {
                HeadraceException loss = rank.loss();
                if (loss != null) {
                    throw Failures.seenHere(loss);
                }
            }
            shuffle.open();
        } catch (RuntimeException failure) {
            shuffle.close();
            throw failure;
        }
        return shuffle;
    }

    /** What this driver has fed to its ranks. */
    public RoundStatistics rounds() {
        return rounds.statistics();
    }

    /** The statistics of each rank, by rank number, as JSON objects: names to bytes, seconds and counts. */
    public List<String> statistics() {
        return ask(Rank::statistics, "statistics");
    }

    /** Facts about each rank's process, by rank number, as properties text: {@code pid}, {@code host} and others. */
    public List<String> describe() {
        return ask(Rank::describe, "describe");
    }

    /** Closes the open shuffles, lets the ranks free everything, and ends them. Closing again does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            List.copyOf(shuffles).forEach(RayShuffle::close);
            TimeLimit limit = TimeLimit.after(CLOSE_TIMEOUT);
            List<CompletableFuture<Rank.Done>> ending = ranks.stream()
                    .filter(rank -> rank.loss() == null)
                    .map(Rank::shutdown)
                    .toList();
            ending.forEach(limit::awaitQuietly);
        } finally {
            host.close();
        }
    }

    private List<String> ask(Function<Rank, CompletableFuture<String>> question, String what) {
        TimeLimit limit = TimeLimit.after(CLOSE_TIMEOUT);
        List<CompletableFuture<String>> replies = ranks.stream().map(question).toList();
        return replies.stream().map(reply -> limit.await(reply, what)).toList();
    }

    private void onRankLost(HeadraceException cause) {
        if (cause.category() == Category.PEER_LOST) {
            shuffles.forEach(shuffle -> shuffle.abort(cause));
        }
    }
}
