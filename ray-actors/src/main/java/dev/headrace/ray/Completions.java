package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Owners;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions of one shuffle are complete: one call waits at every rank for news of its own partitions, again and
 * again until all are complete. Thread-safe; callers' threads wait here, news come on the host's thread.
 */
final class Completions {

    /** Short enough that the calls of many shuffles take turns in a rank's threads. */
    private static final long POLL_NANOS = Duration.ofMillis(250).toNanos();

    private final long wireId;
    private final List<Rank> ranks;
    private final Owners owners;
    private final int partitions;
    private final Outcome outcome;
    private final BitSet complete = new BitSet();
    private final BitSet taken = new BitSet();
    private final Queue<Integer> ready = new ArrayDeque<>();
    private boolean closed;

    Completions(long wireId, List<Rank> ranks, Owners owners, Outcome outcome) {
        this.wireId = wireId;
        this.ranks = ranks;
        this.owners = owners;
        this.partitions = owners.partitions();
        this.outcome = outcome;
        outcome.onFailure(_ -> wake());
    }

    /** Begins to ask the ranks. */
    void start() {
        for (Rank rank : ranks) {
            int own = owners.count(rank.number());
            if (own > 0) {
                poll(rank, 0, own);
            }
        }
    }

    /** Waits for the next partition in order of completion that nobody has taken; -1 when there is none left. */
    synchronized int next(TimeLimit limit) {
        while (taken.cardinality() < partitions) {
            outcome.check();
            Integer partition = ready.poll();
            if (partition == null) {
                await(limit, "of " + partitions + " partitions " + complete.cardinality() + " are complete");
            } else if (!taken.get(partition)) {
                taken.set(partition);
                return partition;
            }
        }
        return -1;
    }

    /** Waits until one partition is complete, and takes it. */
    synchronized void take(int partition, TimeLimit limit) {
        while (!complete.get(partition)) {
            outcome.check();
            await(limit, "partition " + partition + " is not complete");
        }
        outcome.check();
        taken.set(partition);
        notifyAll();
    }

    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private void await(TimeLimit limit, String state) {
        if (closed) {
            throw HeadraceException.invalidInput("the shuffle is closed");
        }
        if (!limit.await(this)) {
            throw HeadraceException.deadline(state + " after " + limit);
        }
    }

    private void poll(Rank rank, int from, int own) {
        var _ = rank.completed(wireId, from, POLL_NANOS).whenComplete((news, failure) -> {
            try {
                heard(rank, from, own, news, failure);
            } catch (RuntimeException broken) {
                outcome.fail(Failures.typed(broken));
            }
        });
    }

    private void heard(Rank rank, int from, int own, int @Nullable [] news, @Nullable Throwable failure) {
        if (news == null) {
            outcome.fail(Failures.typed(failure == null ? new IllegalStateException("no reply") : failure));
            return;
        }
        synchronized (this) {
            for (int partition : news) {
                if (owners.ownerOf(partition) != rank.number() || complete.get(partition)) {
                    throw new IllegalStateException("rank " + rank.number() + " says that partition " + partition
                            + " is complete: it does not own it or said so before");
                }
                complete.set(partition);
                ready.add(partition);
            }
            notifyAll();
            if (closed) {
                return;
            }
        }
        if (from + news.length < own && !outcome.failed()) {
            poll(rank, from + news.length, own);
        }
    }

    private synchronized void wake() {
        notifyAll();
    }
}
