package dev.headrace.ray;

import io.ray.api.exception.RayActorException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls a rank of this process on threads of its own; a killed one fails as Ray's actors do. */
final class LocalCalls implements RankCalls {

    private final RankActor actor;
    private final ExecutorService threads;
    private final Set<CompletableFuture<byte[]>> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean killed;

    LocalCalls(RankActor actor, ExecutorService threads) {
        this.actor = actor;
        this.threads = threads;
    }

    void kill() {
        if (!killed) {
            killed = true;
            waiting.forEach(reply -> reply.completeExceptionally(new RayActorException()));
            byte[] _ = actor.shutdown();
        }
    }

    @Override
    public CompletableFuture<byte[]> describe() {
        return start(actor::describe);
    }

    @Override
    public CompletableFuture<byte[]> address() {
        return start(actor::address);
    }

    @Override
    public CompletableFuture<byte[]> connectPeer(long rank, long incarnation, byte[] address) {
        return start(() -> actor.connectPeer(rank, incarnation, address));
    }

    @Override
    public CompletableFuture<byte[]> awaitConnected(long timeoutNanos) {
        return start(() -> actor.awaitConnected(timeoutNanos));
    }

    @Override
    public CompletableFuture<byte[]> open(
            long wireId, RuleWords rule, long partitions, byte[] schema, long timeoutNanos) {
        return start(() -> actor.open(
                wireId,
                rule.kind(),
                rule.keys(),
                orNull(rule.order()),
                orNull(rule.boundaries()),
                rule.seed(),
                partitions,
                orNull(schema),
                timeoutNanos));
    }

    /** As Ray does it: an empty array arrives as null. */
    private static byte @Nullable [] orNull(byte[] bytes) {
        return bytes.length == 0 ? null : bytes;
    }

    @Override
    public CompletableFuture<byte[]> insert(long wireId, long batch, StoredBatch ipc) {
        byte[] bytes = ((FakeHost.InHeap) ipc).ipc();
        return start(() -> {
            // As Ray does it: a view of memory that is gone when the call returns.
            try (Arena view = Arena.ofShared()) {
                MemorySegment memory = view.allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
                return actor.insert(wireId, batch, memory.asByteBuffer());
            }
        });
    }

    @Override
    public CompletableFuture<byte[]> sample(String[] keys, long batch, long mostRows, StoredBatch ipc) {
        byte[] bytes = ((FakeHost.InHeap) ipc).ipc();
        return start(() -> {
            try (Arena view = Arena.ofShared()) {
                MemorySegment memory = view.allocate(bytes.length, 64).copyFrom(MemorySegment.ofArray(bytes));
                return actor.sample(keys, batch, mostRows, memory.asByteBuffer());
            }
        });
    }

    @Override
    public CompletableFuture<byte[]> finish(long wireId, long[] batches, long rows) {
        return start(() -> actor.finish(wireId, batches, rows));
    }

    @Override
    public CompletableFuture<byte[]> completed(long wireId, long from, long timeoutNanos) {
        return start(() -> actor.completed(wireId, from, timeoutNanos));
    }

    @Override
    public CompletableFuture<byte[]> fetch(long wireId, long partition, long page) {
        return start(() -> actor.fetch(wireId, partition, page));
    }

    @Override
    public CompletableFuture<byte[]> release(long wireId, long partition) {
        return start(() -> actor.release(wireId, partition));
    }

    @Override
    public CompletableFuture<byte[]> closeShuffle(long wireId) {
        return start(() -> actor.closeShuffle(wireId));
    }

    @Override
    public CompletableFuture<byte[]> abort(long wireId, String category, String message) {
        return start(() -> actor.abort(wireId, category, message));
    }

    @Override
    public CompletableFuture<byte[]> statistics() {
        return start(actor::statistics);
    }

    @Override
    public CompletableFuture<byte[]> room() {
        return start(actor::room);
    }

    @Override
    public CompletableFuture<byte[]> shutdown() {
        return start(actor::shutdown);
    }

    private CompletableFuture<byte[]> start(Supplier<byte[]> call) {
        CompletableFuture<byte[]> reply = new CompletableFuture<>();
        waiting.add(reply);
        threads.execute(() -> {
            byte[] answer = killed ? new byte[0] : call.get();
            if (killed) {
                reply.completeExceptionally(new RayActorException());
            } else {
                reply.complete(answer);
            }
            waiting.removeIf(CompletableFuture::isDone);
        });
        return reply;
    }
}
