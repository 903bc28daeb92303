package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Owners;
import io.ray.api.exception.RayActorException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A rank without an engine: a batch has as many rows as bytes, partition p is the text {@code "p"} and then its number,
 * on two pages, and all partitions are complete, the last first, once {@code finish} was called. Fields change how it
 * behaves.
 */
final class FakeRank implements RankCalls {

    final List<String> heard = new CopyOnWriteArrayList<>();
    volatile long roomBytes;
    final AtomicInteger refusals = new AtomicInteger();
    volatile long rowsPromisedTooMany;
    volatile boolean lost;
    volatile boolean silent;
    volatile boolean completes = true;
    volatile @Nullable HeadraceException insertFailure;

    private final int number;
    private final int ranks;
    private final Executor replies;
    private final Queue<CompletableFuture<byte[]>> unanswered = new ConcurrentLinkedQueue<>();
    private volatile int partitions;
    private volatile boolean finished;

    FakeRank(int number, int ranks, long roomBytes, Executor replies) {
        this.number = number;
        this.ranks = ranks;
        this.roomBytes = roomBytes;
        this.replies = replies;
    }

    /** Dies as a killed actor does: what waits and what comes later fails. */
    void die() {
        lost = true;
        List.copyOf(unanswered).forEach(reply -> reply.completeExceptionally(new RayActorException()));
    }

    @Override
    public CompletableFuture<byte[]> describe() {
        return answer("describe", () -> Reply.done("pid=1"));
    }

    @Override
    public CompletableFuture<byte[]> address() {
        return answer("address", () -> Reply.done(new byte[] {(byte) number}));
    }

    @Override
    public CompletableFuture<byte[]> connectPeer(long rank, long incarnation, byte[] address) {
        return answer("connect " + rank + " at " + address[0], Reply::done);
    }

    @Override
    public CompletableFuture<byte[]> awaitConnected(long timeoutNanos) {
        return answer("awaitConnected", Reply::done);
    }

    @Override
    public CompletableFuture<byte[]> open(
            long wireId, RuleWords rule, long partitionCount, byte[] schema, long timeoutNanos) {
        return answer("open " + rule.kind(), () -> {
            partitions = (int) partitionCount;
            return Reply.done();
        });
    }

    @Override
    public CompletableFuture<byte[]> insert(long wireId, long batch, StoredBatch ipc) {
        return answer("insert " + batch, () -> {
            HeadraceException failure = insertFailure;
            if (failure != null) {
                return Reply.failed(failure);
            }
            boolean accepted = refusals.getAndDecrement() <= 0;
            return Reply.done(
                    17,
                    reply -> reply.put((byte) (accepted ? 1 : 0))
                            .putLong(roomBytes)
                            .putLong(ipc.bytes()));
        });
    }

    @Override
    public CompletableFuture<byte[]> sample(String[] keys, long batch, long mostRows, StoredBatch ipc) {
        return answer("sample", () -> {
            throw new UnsupportedOperationException("this rank reads no batches");
        });
    }

    @Override
    public CompletableFuture<byte[]> finish(long wireId, long[] batches, long rows) {
        return answer("finish " + batches.length + " batches " + rows + " rows", () -> {
            finished = true;
            return Reply.done(rows + rowsPromisedTooMany);
        });
    }

    @Override
    public CompletableFuture<byte[]> completed(long wireId, long from, long timeoutNanos) {
        return answer("completed", () -> {
            Owners owners = new Owners(partitions, ranks);
            boolean news = finished && completes && from < owners.count(number);
            return Reply.done(news ? 8 : 4, reply -> {
                reply.putInt(news ? 1 : 0);
                if (news) {
                    reply.putInt(owners.end(number) - 1 - (int) from);
                }
            });
        });
    }

    @Override
    public CompletableFuture<byte[]> fetch(long wireId, long partition, long page) {
        return answer("fetch " + partition + " page " + page, () -> {
            byte[] text = (page == 0 ? "p" : Long.toString(partition)).getBytes(StandardCharsets.UTF_8);
            return Reply.done(1 + text.length, reply -> reply.put((byte) page).put(text));
        });
    }

    @Override
    public CompletableFuture<byte[]> release(long wireId, long partition) {
        return answer("release " + partition, Reply::done);
    }

    @Override
    public CompletableFuture<byte[]> closeShuffle(long wireId) {
        return answer("closeShuffle", Reply::done);
    }

    @Override
    public CompletableFuture<byte[]> abort(long wireId, String category, String message) {
        return answer("abort " + category, Reply::done);
    }

    @Override
    public CompletableFuture<byte[]> statistics() {
        return answer("statistics", () -> Reply.done("{}"));
    }

    @Override
    public CompletableFuture<byte[]> room() {
        return answer("room", () -> Reply.done(roomBytes));
    }

    @Override
    public CompletableFuture<byte[]> shutdown() {
        return answer("shutdown", Reply::done);
    }

    private CompletableFuture<byte[]> answer(String call, Supplier<byte[]> reply) {
        heard.add(call);
        CompletableFuture<byte[]> future = new CompletableFuture<>();
        if (lost) {
            future.completeExceptionally(new RayActorException());
        } else if (silent) {
            unanswered.add(future);
        } else {
            unanswered.add(future);
            replies.execute(() -> {
                unanswered.removeIf(CompletableFuture::isDone);
                if (lost) {
                    future.completeExceptionally(new RayActorException());
                } else {
                    future.complete(reply.get());
                }
            });
        }
        return future;
    }
}
