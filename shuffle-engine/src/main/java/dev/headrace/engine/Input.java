package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Inbox;
import dev.headrace.memory.Deadline;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The batches that one rank was given for one shuffle, and whether there may be more. Thread-safe. */
final class Input {
    private final long wireId;
    private final Map<Long, BatchProgress> batches = new HashMap<>();
    private boolean finished;
    private boolean closed;

    Input(long wireId) {
        this.wireId = wireId;
    }

    /** The progress of a batch, a new one if it was never seen. */
    synchronized BatchProgress begin(long batch) {
        BatchProgress known = batches.get(batch);
        if (known != null) {
            return known;
        }
        if (finished || closed) {
            throw HeadraceException.invalidInput(
                    "batch " + batch + " was inserted into shuffle " + wireId + " after it was finished");
        }
        BatchProgress progress = new BatchProgress(batch);
        batches.put(batch, progress);
        return progress;
    }

    synchronized void done() {
        notifyAll();
    }

    /** Waits for the named batches, then refuses more; an error if other batches came or the rows differ. */
    synchronized void finish(long[] expected, long rows, Inbox inbox, Deadline deadline) {
        if (finished) {
            throw HeadraceException.invalidInput("shuffle " + wireId + " was finished before");
        }
        Set<Long> missing = missing(expected);
        while (!missing.isEmpty()) {
            inbox.checkFailure();
            long millis = Math.min(deadline.remainingNanos() / 1_000_000, 500);
            if (millis <= 0) {
                throw HeadraceException.deadline("finish of shuffle " + wireId + " still waits for batches " + missing);
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw HeadraceException.deadline("interrupted while waiting for batches " + missing);
            }
            missing = missing(expected);
        }
        checkNoOthers(expected);
        long found = batches.values().stream().mapToLong(BatchProgress::rows).sum();
        if (found != rows) {
            throw HeadraceException.invalidInput(
                    "shuffle " + wireId + ": finish says " + rows + " rows, but this rank was given " + found);
        }
        finished = true;
    }

    private Set<Long> missing(long[] expected) {
        Set<Long> missing = new TreeSet<>();
        for (long batch : expected) {
            BatchProgress progress = batches.get(batch);
            if (progress == null || !progress.isDone()) {
                missing.add(batch);
            }
        }
        return missing;
    }

    private void checkNoOthers(long[] expected) {
        if (batches.size() != expected.length) {
            TreeSet<Long> others = new TreeSet<>(batches.keySet());
            for (long batch : expected) {
                others.remove(batch);
            }
            throw HeadraceException.invalidInput(
                    "shuffle " + wireId + ": finish doesn't name batches " + others + ", which this rank was given");
        }
    }

    synchronized void close() {
        closed = true;
        batches.clear();
        notifyAll();
    }
}
