package dev.headrace.ray;

import dev.headrace.engine.BoundaryFinder;
import dev.headrace.engine.Rule;
import dev.headrace.engine.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Batches of a range shuffle that has no boundaries yet: they stay in the object store until all are there and the
 * boundaries are found from samples of them. Thread-safe.
 */
final class Backlog {
    private final List<Kept> kept = new ArrayList<>();

    /** A batch that was not sent to a rank yet. */
    record Kept(long batch, StoredBatch stored) {}

    synchronized void add(long batch, StoredBatch stored) {
        kept.add(new Kept(batch, stored));
    }

    /** All batches, which are the caller's from now on. */
    synchronized List<Kept> take() {
        List<Kept> taken = List.copyOf(kept);
        kept.clear();
        return taken;
    }

    /** Boundaries for the batches: ranks draw the samples, the driver looks at them. */
    static byte[] boundaries(
            List<Kept> batches,
            Rule.Range rule,
            int partitions,
            byte[] schema,
            List<Rank> ranks,
            Outcome outcome,
            TimeLimit limit) {
        long allBytes =
                batches.stream().mapToLong(each -> each.stored().bytes()).sum();
        List<CompletableFuture<Sample>> replies = new ArrayList<>();
        for (Kept each : batches) {
            Rank rank = ranks.get(replies.size() % ranks.size());
            int rows = BoundaryFinder.sampleRows(partitions, each.stored().bytes(), allBytes);
            replies.add(rank.sample(rule.names(), each.batch(), rows, each.stored()));
        }
        List<Sample> samples = new ArrayList<>();
        for (CompletableFuture<Sample> reply : replies) {
            samples.add(outcome.await(reply, limit, "sample"));
        }
        if (schema.length > 0) {
            samples.add(new Sample(Long.MAX_VALUE, 0, schema));
        }
        return BoundaryFinder.find(rule.keys(), partitions, samples);
    }
}
