package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.ray.Rank.Inserted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The input side of one shuffle: numbers the batches, sends them in rounds, and in the end tells every rank which ones
 * it must have had. Thread-safe; callers' threads wait here, replies come on the host's thread.
 */
final class Feed {

    private final long wireId;
    private final List<Rank> ranks;
    private final RankHost host;
    private final Rounds rounds;
    private final Outcome outcome;
    private final TimeLimit limit;
    private final Optional<Backlog> backlog;
    private final List<Accepted> accepted = new ArrayList<>();
    private long nextBatch;
    private int outstanding;
    private boolean ended;

    Feed(
            long wireId,
            List<Rank> ranks,
            RankHost host,
            Rounds rounds,
            Outcome outcome,
            TimeLimit limit,
            Optional<Backlog> backlog) {
        this.wireId = wireId;
        this.ranks = ranks;
        this.host = host;
        this.rounds = rounds;
        this.outcome = outcome;
        this.limit = limit;
        this.backlog = backlog;
        for (int i = 0; i < ranks.size(); i++) {
            accepted.add(new Accepted());
        }
        outcome.onFailure(_ -> wake());
    }

    /**
     * Sends a batch as soon as a rank has room, and returns its number without waiting for the rank's answer; keeps it
     * if there is a backlog.
     */
    long insert(byte[] ipc) {
        outcome.check();
        if (ipc.length == 0) {
            throw HeadraceException.invalidInput("a batch of 0 bytes is no Arrow IPC stream");
        }
        long batch = begin();
        try {
            StoredBatch stored = host.put(ipc);
            if (backlog.isPresent()) {
                backlog.get().add(batch, stored);
            } else {
                deliver(batch, stored);
            }
        } catch (RuntimeException cause) {
            outcome.fail(Failures.typed(cause));
            answered();
        }
        outcome.check();
        return batch;
    }

    private void deliver(long batch, StoredBatch stored) {
        int rank = rounds.claim(stored.bytes(), outcome::failed, limit);
        if (rank >= 0) {
            send(rank, batch, stored);
        } else {
            answered();
        }
    }

    /** Sends the batches that were kept, now that they can be taken. */
    void deliver(List<Backlog.Kept> kept) {
        kept.forEach(each -> deliver(each.batch(), each.stored()));
        outcome.check();
    }

    /**
     * No batch may be inserted from now on.
     *
     * @param schemaDeclared whether partitions have a schema even if there was no batch
     */
    synchronized void end(boolean schemaDeclared) {
        outcome.check();
        if (nextBatch == 0 && !schemaDeclared) {
            throw HeadraceException.invalidInput("no batch was inserted and no schema was declared");
        }
        if (ended) {
            throw HeadraceException.invalidInput("finish was called before");
        }
        ended = true;
    }

    /** Waits until every batch is in, ends the input on every rank, and checks that they promise what was fed. */
    void awaitPromises() {
        awaitAnswers();
        List<CompletableFuture<Long>> promises = new ArrayList<>();
        for (Rank rank : ranks) {
            Accepted had = accepted.get(rank.number());
            promises.add(rank.finish(wireId, had.batches(), had.rows));
        }
        long promised = 0;
        for (CompletableFuture<Long> promise : promises) {
            promised += outcome.await(promise, limit, "finish");
        }
        if (promised != rows()) {
            throw new IllegalStateException(
                    rows() + " rows were fed, but the ranks promise " + promised + " rows to the partitions");
        }
    }

    private synchronized void awaitAnswers() {
        while (outstanding > 0 && !outcome.failed()) {
            if (!limit.await(this)) {
                throw HeadraceException.deadline(
                        outstanding + " batches were still on their way to a rank after " + limit);
            }
        }
        outcome.check();
    }

    /** Rows of the batches that ranks have accepted so far. */
    synchronized long rows() {
        return accepted.stream().mapToLong(had -> had.rows).sum();
    }

    private synchronized long begin() {
        if (ended) {
            throw HeadraceException.invalidInput("insert after finish");
        }
        outstanding++;
        return nextBatch++;
    }

    private synchronized void answered() {
        outstanding--;
        notifyAll();
    }

    private synchronized void wake() {
        notifyAll();
        rounds.wake();
    }

    private void send(int rank, long batch, StoredBatch stored) {
        var _ = ranks.get(rank).insert(wireId, batch, stored).whenComplete((inserted, failure) -> {
            try {
                heard(rank, batch, stored, inserted, failure);
            } catch (RuntimeException broken) {
                outcome.fail(Failures.typed(broken));
                answered();
            }
        });
    }

    private void heard(
            int rank, long batch, StoredBatch stored, @Nullable Inserted inserted, @Nullable Throwable failure) {
        if (inserted != null && !inserted.accepted() && !outcome.failed() && !limit.expired()) {
            // To the same rank: it may have taken a part of the batch and goes on where it stopped.
            rounds.refused(rank, inserted.freeBytes());
            send(rank, batch, stored);
            return;
        }
        host.drop(stored);
        if (inserted != null && inserted.accepted()) {
            synchronized (this) {
                accepted.get(rank).add(batch, inserted.rows());
            }
            rounds.accepted(rank, stored.bytes(), inserted.freeBytes());
        } else {
            outcome.fail(
                    failure != null
                            ? Failures.typed(failure)
                            : HeadraceException.deadline(
                                    "rank " + rank + " did not take batch " + batch + " within " + limit));
            rounds.failed(rank, stored.bytes());
        }
        answered();
    }

    /** What one rank has had; guarded by the feed. */
    private static final class Accepted {
        private final List<Long> batches = new ArrayList<>();
        private long rows;

        void add(long batch, long batchRows) {
            batches.add(batch);
            rows += batchRows;
        }

        long[] batches() {
            return batches.stream().mapToLong(Long::longValue).toArray();
        }
    }
}
