package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Inbox;
import dev.headrace.exchange.Owners;
import dev.headrace.memory.Deadline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The partitions of one shuffle at one rank as callers see them, each with all its buckets. Thread-safe. */
final class Outputs {
    private final Inbox inbox;
    private final Owners owners;
    private final int rank;
    private final List<Integer> completed = new ArrayList<>();
    private final Map<Integer, Integer> bucketsDone = new HashMap<>();
    private final Set<Integer> released = new HashSet<>();
    private int seen;

    Outputs(Inbox inbox, Owners owners, int rank) {
        this.inbox = inbox;
        this.owners = owners;
        this.rank = rank;
    }

    int firstBucket(int partition) {
        return partition * owners.buckets();
    }

    int endBucket(int partition) {
        return (partition + 1) * owners.buckets();
    }

    /** As {@link Shuffle#completed}. */
    int[] completed(int from, Deadline until) {
        while (true) {
            int known;
            synchronized (this) {
                if (completed.size() > from) {
                    return listed(from);
                }
                known = seen;
            }
            int[] buckets = inbox.completed(known, until);
            synchronized (this) {
                if (buckets.length == 0) {
                    return listed(from);
                }
                if (known == seen) {
                    count(buckets);
                }
            }
        }
    }

    private void count(int[] buckets) {
        seen += buckets.length;
        for (int bucket : buckets) {
            int partition = bucket / owners.buckets();
            if (bucketsDone.merge(partition, 1, Integer::sum) == owners.buckets()) {
                completed.add(partition);
            }
        }
    }

    private int[] listed(int from) {
        return completed.stream()
                .skip(Math.max(0, from))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** The rows of every partition of this rank in ascending order; an error until every rank has finished. */
    long[] rows() {
        long[] buckets = inbox.rows();
        long[] rows = new long[buckets.length / owners.buckets()];
        for (int i = 0; i < buckets.length; i++) {
            rows[i / owners.buckets()] += buckets[i];
        }
        return rows;
    }

    /** Throws unless the partition is this rank's, complete and not released. */
    void checkFetchable(int partition) {
        inbox.checkFailure();
        int first = owners.first(rank) / owners.buckets();
        int end = owners.end(rank) / owners.buckets();
        if (partition < first || partition >= end) {
            throw HeadraceException.invalidInput("partition " + partition + " is unknown to rank " + rank
                    + ", which owns " + first + " to " + (end - 1));
        }
        for (int bucket = firstBucket(partition); bucket < endBucket(partition); bucket++) {
            inbox.checkFetchable(bucket);
        }
    }

    /** Frees the partition, and gives the rows that this delivered; none the second time. */
    synchronized long release(int partition) {
        if (released.contains(partition)) {
            inbox.checkFailure();
            return 0;
        }
        checkFetchable(partition);
        long rows = 0;
        for (int bucket = firstBucket(partition); bucket < endBucket(partition); bucket++) {
            rows += inbox.release(bucket);
        }
        released.add(partition);
        return rows;
    }
}
