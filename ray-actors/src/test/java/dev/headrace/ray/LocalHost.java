package dev.headrace.ray;

import dev.headrace.transport.ucx.JobKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Hosts ranks with real engines in this process, as Ray would in processes of their own. */
final class LocalHost implements RankHost {

    private final List<LocalCalls> ranks = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("local-ray-", 0).factory());

    LocalHost(DriverSettings settings) {
        JobKey jobKey = JobKey.random();
        for (int rank = 0; rank < settings.ranks(); rank++) {
            RankActor actor = new RankActor(settings.forRank(rank, 1, jobKey).format());
            ranks.add(new LocalCalls(actor, threads));
        }
    }

    /** What is called and what comes later fails, and the peers lose the rank. */
    void kill(int rank) {
        ranks.get(rank).kill();
    }

    @Override
    public int ranks() {
        return ranks.size();
    }

    @Override
    public RankCalls calls(int rank) {
        return ranks.get(rank);
    }

    @Override
    public StoredBatch put(byte[] ipc) {
        return new FakeHost.InHeap(ipc.clone());
    }

    @Override
    public void drop(StoredBatch batch) {}

    @Override
    public String diagnose() {
        return "it runs in this process";
    }

    @Override
    public void close() {
        ranks.forEach(LocalCalls::kill);
        threads.shutdown();
    }
}
