package dev.headrace.ray;

import io.ray.api.ActorHandle;
import io.ray.api.ObjectRef;
import io.ray.api.call.ActorTaskCaller;
import io.ray.api.function.RayFuncR;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Calls to a {@link RankActor} through Ray. */
final class RayCalls implements RankCalls {

    private final ActorHandle<RankActor> actor;
    private final ReplyPump pump;

    RayCalls(ActorHandle<RankActor> actor, ReplyPump pump) {
        this.actor = actor;
        this.pump = pump;
    }

    ActorHandle<RankActor> actor() {
        return actor;
    }

    @Override
    public CompletableFuture<byte[]> describe() {
        return start(actor.task(RankActor::describe));
    }

    @Override
    public CompletableFuture<byte[]> address() {
        return start(actor.task(RankActor::address));
    }

    @Override
    public CompletableFuture<byte[]> connectPeer(long rank, long incarnation, byte[] address) {
        return start(actor.task(RankActor::connectPeer, rank, incarnation, address));
    }

    @Override
    public CompletableFuture<byte[]> awaitConnected(long timeoutNanos) {
        return start(actor.task(RankActor::awaitConnected, timeoutNanos));
    }

    @Override
    public CompletableFuture<byte[]> open(
            long wireId, RuleWords rule, long partitions, byte[] schema, long timeoutNanos) {
        OpenCall open = RankActor::open;
        return start(new ActorTaskCaller<>(actor, open, new Object[] {
            wireId,
            rule.kind(),
            rule.keys(),
            rule.order(),
            rule.boundaries(),
            rule.seed(),
            partitions,
            schema,
            timeoutNanos
        }));
    }

    @Override
    public CompletableFuture<byte[]> insert(long wireId, long batch, StoredBatch ipc) {
        return start(actor.task(RankActor::insert, wireId, batch, ((InObjectStore) ipc).reference()));
    }

    @Override
    public CompletableFuture<byte[]> sample(String[] keys, long batch, long mostRows, StoredBatch ipc) {
        return start(actor.task(RankActor::sample, keys, batch, mostRows, ((InObjectStore) ipc).reference()));
    }

    @Override
    public CompletableFuture<byte[]> finish(long wireId, long[] batches, long rows) {
        return start(actor.task(RankActor::finish, wireId, batches, rows));
    }

    @Override
    public CompletableFuture<byte[]> completed(long wireId, long from, long timeoutNanos) {
        return start(actor.task(RankActor::completed, wireId, from, timeoutNanos));
    }

    @Override
    public CompletableFuture<byte[]> fetch(long wireId, long partition, long page) {
        return start(actor.task(RankActor::fetch, wireId, partition, page));
    }

    @Override
    public CompletableFuture<byte[]> release(long wireId, long partition) {
        return start(actor.task(RankActor::release, wireId, partition));
    }

    @Override
    public CompletableFuture<byte[]> closeShuffle(long wireId) {
        return start(actor.task(RankActor::closeShuffle, wireId));
    }

    @Override
    public CompletableFuture<byte[]> abort(long wireId, String category, String message) {
        return start(actor.task(RankActor::abort, wireId, category, message));
    }

    @Override
    public CompletableFuture<byte[]> statistics() {
        return start(actor.task(RankActor::statistics));
    }

    @Override
    public CompletableFuture<byte[]> room() {
        return start(actor.task(RankActor::room));
    }

    @Override
    public CompletableFuture<byte[]> shutdown() {
        return start(actor.task(RankActor::shutdown));
    }

    private CompletableFuture<byte[]> start(ActorTaskCaller<byte[]> call) {
        return pump.reply(call.remote());
    }

    /** Ray's own function types end at five parameters; it only reads the name and signature of the method. */
    @FunctionalInterface
    @SuppressWarnings("UnusedMethod")
    private interface OpenCall extends RayFuncR<byte[]> {
        byte[] apply(
                RankActor actor,
                long wireId,
                String kind,
                String[] keys,
                byte[] order,
                byte[] boundaries,
                long seed,
                long partitions,
                byte[] schema,
                long timeoutNanos);
    }

    /**
     * A batch in Ray's object store, which the actor sees as a buffer over shared memory.
     *
     * @param reference was made for a {@code byte[]}; Ray gives the same bytes to a {@code ByteBuffer} parameter
     */
    record InObjectStore(ObjectRef<ByteBuffer> reference, long bytes) implements StoredBatch {}
}
