package dev.headrace.bench;

import dev.headrace.HeadraceException;
import dev.headrace.transport.ucx.JobKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** All ranks of a benchmark, which does with each what it does with all, at the same time. Owns them; one caller. */
final class Ranks implements AutoCloseable {
    private final List<BenchRank> ranks = new ArrayList<>();
    private final ExecutorService callers;

    /** @param commandLine what a rank in a process of its own is started with */
    Ranks(BenchSettings settings, List<String> commandLine) {
        callers = Executors.newFixedThreadPool(
                settings.ranks(), Thread.ofPlatform().name("bench-call-", 0).factory());
        JobKey key = JobKey.random();
        Transports transports = new Transports(settings, key);
        boolean done = false;
        try {
            for (int rank = 0; rank < settings.ranks(); rank++) {
                ranks.add(
                        settings.communicator().hasProcesses()
                                ? ProcessRank.start(rank, key, commandLine)
                                : new LocalRank(settings, rank, transports));
            }
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    /** What is done with one rank. */
    interface Work<T> {
        T with(BenchRank rank);
    }

    /** What is done with one rank where nothing comes back. */
    interface Action {
        void with(BenchRank rank);
    }

    /** Waits for all ranks; throws what the first of them threw, if any did. */
    <T> List<T> all(Work<T> work) {
        List<Future<T>> running = new ArrayList<>();
        for (BenchRank rank : ranks) {
            Callable<T> call = () -> work.with(rank);
            running.add(callers.submit(call));
        }
        List<T> results = new ArrayList<>();
        RuntimeException failure = null;
        for (Future<T> one : running) {
            try {
                results.add(one.get());
            } catch (ExecutionException e) {
                failure = failure == null ? RankThreads.causeOf(e) : failure;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw HeadraceException.deadline("interrupted");
            }
        }
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    void each(Action action) {
        all(rank -> {
            action.with(rank);
            return true;
        });
    }

    /** What all ranks have used of the processors, to about 10 ms; each process counts once. */
    Duration processorTime() {
        return ranks.stream()
                .map(BenchRank::process)
                .distinct()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        try {
            each(BenchRank::close);
        } finally {
            callers.shutdownNow();
            callers.close();
        }
    }
}
