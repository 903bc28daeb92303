package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.memory.Deadline;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which of the other ranks are connected; written by the progress thread, waited on by callers. Thread-safe. */
public final class Peers {
    private final int self;
    private final int ranks;
    private final TreeSet<Integer> connected = new TreeSet<>();
    private final TreeMap<Integer, HeadraceException> lost = new TreeMap<>();
    private @Nullable HeadraceException failure;

    Peers(int self, int ranks) {
        this.self = self;
        this.ranks = ranks;
    }

    synchronized void expect(int rank) {
        connected.remove(rank);
        lost.remove(rank);
    }

    synchronized void connected(int rank) {
        connected.add(rank);
        notifyAll();
    }

    synchronized void lost(int rank, HeadraceException cause) {
        connected.remove(rank);
        lost.put(rank, cause);
        notifyAll();
    }

    synchronized void fail(HeadraceException cause) {
        failure = cause;
        notifyAll();
    }

    /** Throws the cause if a peer that was expected is gone. */
    public synchronized void check() {
        if (failure != null) {
            throw failure;
        }
        if (!lost.isEmpty()) {
            throw lost.firstEntry().getValue();
        }
    }

    /** Waits until every other rank is connected; names those that are missing when the time is over. */
    public synchronized void awaitAll(Deadline deadline) {
        while (connected.size() < ranks - 1) {
            check();
            long millis = deadline.remainingNanos() / 1_000_000;
            if (millis <= 0) {
                throw HeadraceException.deadline("rank " + self + " is not connected to ranks " + missing());
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw HeadraceException.deadline("interrupted while connecting to ranks " + missing());
            }
        }
    }

    private Set<Integer> missing() {
        Set<Integer> missing = new TreeSet<>();
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != self && !connected.contains(rank)) {
                missing.add(rank);
            }
        }
        return missing;
    }
}
