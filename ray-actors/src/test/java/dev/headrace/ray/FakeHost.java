package dev.headrace.ray;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Hosts {@link FakeRank}s; their replies come on one thread of its own, as Ray's do. */
final class FakeHost implements RankHost {

    final List<FakeRank> ranks = new ArrayList<>();
    final AtomicLong storedBatches = new AtomicLong();
    volatile boolean closed;
    private final ExecutorService replies = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("fake-replies").factory());

    FakeHost(int ranks, long roomBytes) {
        for (int rank = 0; rank < ranks; rank++) {
            this.ranks.add(new FakeRank(rank, ranks, roomBytes, replies));
        }
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
        storedBatches.incrementAndGet();
        return new InHeap(ipc.clone());
    }

    @Override
    public void drop(StoredBatch batch) {
        storedBatches.decrementAndGet();
    }

    @Override
    public String diagnose() {
        return "the fake has no java";
    }

    @Override
    public void close() {
        closed = true;
        replies.shutdown();
    }

    record InHeap(byte[] ipc) implements StoredBatch {
        @Override
        public long bytes() {
            return ipc.length;
        }
    }
}
