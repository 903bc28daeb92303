package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.engine.Rule;
import dev.headrace.exchange.Owners;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shuffle over all ranks of a {@link ShuffleDriver}; every method may be called from any thread.
 *
 * <p>Life: {@code insert}* → {@code finish} (once) → {@code next}/{@code partition}, each then read and released →
 * {@code close}. A failure anywhere, a lost rank included, ends the shuffle: every call, also one that waits, throws
 * it.
 */
public final class RayShuffle implements AutoCloseable {

    private final long wireId;
    private final Owners owners;
    private final List<Rank> ranks;
    private final Outcome outcome;
    private final TimeLimit limit;
    private final ShuffleRequest request;
    private final RankHost host;
    private final Optional<Backlog> backlog;
    private final Feed feed;
    private final Completions completions;
    private final Consumer<RayShuffle> onClose;
    private boolean closed;

    RayShuffle(
            long wireId,
            ShuffleRequest request,
            List<Rank> ranks,
            RankHost host,
            Rounds rounds,
            Consumer<RayShuffle> onClose) {
        this.wireId = wireId;
        this.owners = new Owners(request.partitions(), ranks.size());
        this.ranks = ranks;
        this.outcome = new Outcome();
        this.limit = TimeLimit.after(request.timeout());
        this.request = request;
        this.host = host;
        this.backlog = request.lacksBoundaries() ? Optional.of(new Backlog()) : Optional.empty();
        this.feed = new Feed(wireId, ranks, host, rounds, outcome, limit, backlog);
        this.completions = new Completions(wireId, ranks, owners, outcome);
        this.onClose = onClose;
        outcome.onFailure(this::abortRanks);
    }

    /** Opens it on every rank, none may be inserted before all are open; without boundaries only after finish. */
    void open() {
        if (backlog.isEmpty()) {
            failing(() -> open(request));
        }
    }

    private void open(ShuffleRequest complete) {
        List<CompletableFuture<Rank.Done>> opened = new ArrayList<>();
        for (Rank rank : ranks) {
            opened.add(rank.open(wireId, complete));
        }
        for (CompletableFuture<Rank.Done> each : opened) {
            outcome.await(each, limit, "open");
        }
    }

    private void openWithBoundaries(List<Backlog.Kept> batches) {
        Rule.Range rule = (Rule.Range) request.rule();
        byte[] boundaries = Backlog.boundaries(batches, rule, partitions(), request.schema(), ranks, outcome, limit);
        open(request.withRule(new Rule.Range(rule.keys(), boundaries))
                .withTimeout(Duration.ofNanos(Math.max(1, limit.remainingNanos()))));
    }

    public int partitions() {
        return owners.partitions();
    }

    /** Rows of the batches that ranks have accepted so far; all of them after {@link #finish}. */
    public long rows() {
        return feed.rows();
    }

    /**
     * Sends one batch, waiting while all ranks are full; the array is the caller's again afterwards. Whether the rank
     * could read the batch shows with a later call, at the latest with {@link #finish}.
     *
     * @param ipc an Arrow IPC stream or file
     * @return the number of the batch in this shuffle
     */
    public long insert(byte[] ipc) {
        return feed.insert(ipc);
    }

    /** Ends the input: waits until every rank has its batches and has promised exactly the rows that were fed. */
    public void finish() {
        feed.end(request.schema().length > 0);
        failing(() -> {
            if (backlog.isPresent()) {
                List<Backlog.Kept> batches = backlog.get().take();
                openWithBoundaries(batches);
                feed.deliver(batches);
            }
            feed.awaitPromises();
            completions.start();
        });
    }

    /**
     * Waits for the next complete partition that was not handed out yet, in order of completion; null after the last.
     */
    public @Nullable RayPartition next() {
        int number = completions.next(limit);
        return number < 0 ? null : give(number);
    }

    /** Waits until this partition is complete. */
    public RayPartition partition(int number) {
        if (number < 0 || number >= partitions()) {
            throw HeadraceException.invalidInput(
                    "partition is " + number + ", must be from 0 to " + (partitions() - 1));
        }
        completions.take(number, limit);
        return give(number);
    }

    /** Ends the shuffle on all ranks; every call, also one that waits, throws the cause. */
    public void abort(HeadraceException cause) {
        outcome.fail(cause);
    }

    /** Frees what is left of the shuffle on all ranks. Closing again does nothing. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        completions.close();
        backlog.ifPresent(kept -> kept.take().forEach(each -> host.drop(each.stored())));
        outcome.fail(HeadraceException.invalidInput("the shuffle is closed"));
        onClose.accept(this);
        TimeLimit soon = TimeLimit.after(ShuffleDriver.CLOSE_TIMEOUT);
        List<CompletableFuture<Rank.Done>> closing = new ArrayList<>();
        for (Rank rank : ranks) {
            if (rank.loss() == null) {
                closing.add(rank.closeShuffle(wireId));
            }
        }
        for (CompletableFuture<Rank.Done> each : closing) {
            soon.awaitQuietly(each);
        }
    }

    private RayPartition give(int number) {
        Rank owner = ranks.get(owners.ownerOf(number));
        return new RayPartition(number, wireId, owner, outcome, limit);
    }

    private void abortRanks(HeadraceException cause) {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        for (Rank rank : ranks) {
            if (rank.loss() == null) {
                // Nobody waits for the answer: a rank that can't take it is lost or has failed by itself.
                var _ = rank.abort(wireId, cause);
            }
        }
    }

    /** Whatever the work throws ends the shuffle, except what was wrong with the call alone. */
    private void failing(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException thrown) {
            HeadraceException cause = Failures.typed(thrown);
            outcome.fail(cause);
            throw cause;
        }
    }
}
