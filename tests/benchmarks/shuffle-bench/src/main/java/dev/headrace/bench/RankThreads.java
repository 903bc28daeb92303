package dev.headrace.bench;

import dev.headrace.HeadraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A fixed number of threads that do the same work together; owned by one rank, or by who drives the ranks. */
final class RankThreads implements AutoCloseable {
    private final int count;
    private final ExecutorService threads;

    RankThreads(int rank, int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(
                count, Thread.ofPlatform().name("bench-" + rank + "-", 0).factory());
    }

    /** Runs the work on every thread, waits for all of them, and throws what the first of them threw. */
    void all(Runnable work) {
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(threads.submit(work));
        }
        RuntimeException failure = null;
        for (Future<?> one : running) {
            try {
                one.get();
            } catch (ExecutionException e) {
                failure = failure == null ? causeOf(e) : failure;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw HeadraceException.deadline("interrupted");
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** What a thread failed with. */
    static RuntimeException causeOf(ExecutionException failure) {
        return failure.getCause() instanceof RuntimeException cause
                ? cause
                : HeadraceException.internal("a thread of the benchmark failed: " + failure.getCause(), failure);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        threads.close();
    }
}
