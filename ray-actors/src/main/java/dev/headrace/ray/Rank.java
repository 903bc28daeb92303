package dev.headrace.ray;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.engine.Sample;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The driver's view of one rank: typed calls, limited per {@link CallKind}, whose futures end with a value or a
 * {@link HeadraceException}. Thread-safe, never blocks. Tells once when the rank is lost.
 */
final class Rank {

    private final int number;
    private final RankCalls calls;
    private final Map<CallKind, CallGate> gates = new EnumMap<>(CallKind.class);
    private final Consumer<HeadraceException> onLost;
    private volatile @Nullable HeadraceException loss;

    Rank(int number, RankCalls calls, Consumer<HeadraceException> onLost) {
        this.number = number;
        this.calls = calls;
        this.onLost = onLost;
        for (CallKind kind : CallKind.values()) {
            gates.put(kind, new CallGate(kind.inFlightLimit()));
        }
    }

    int number() {
        return number;
    }

    /** Why the rank is lost, or null. */
    @Nullable
    HeadraceException loss() {
        return loss;
    }

    CompletableFuture<String> describe() {
        return call(CallKind.CONTROL, calls::describe, Rank::text);
    }

    CompletableFuture<byte[]> address() {
        return call(CallKind.CONTROL, calls::address, Rank::bytes);
    }

    CompletableFuture<Done> connectPeer(int rank, long incarnation, byte[] address) {
        return call(CallKind.CONTROL, () -> calls.connectPeer(rank, incarnation, address), Rank::done);
    }

    CompletableFuture<Done> awaitConnected(long timeoutNanos) {
        return call(CallKind.WAIT, () -> calls.awaitConnected(timeoutNanos), Rank::done);
    }

    CompletableFuture<Done> open(long wireId, ShuffleRequest request) {
        return call(
                CallKind.CONTROL,
                () -> calls.open(
                        wireId,
                        RuleWords.of(request.rule()),
                        request.partitions(),
                        request.schema(),
                        request.timeout().toNanos()),
                Rank::done);
    }

    CompletableFuture<Inserted> insert(long wireId, long batch, StoredBatch ipc) {
        return call(
                CallKind.INSERT,
                () -> calls.insert(wireId, batch, ipc),
                reply -> new Inserted(reply.get() != 0, reply.getLong(), reply.getLong()));
    }

    CompletableFuture<Sample> sample(List<String> keys, long batch, int mostRows, StoredBatch ipc) {
        return call(
                CallKind.WAIT, () -> calls.sample(keys.toArray(String[]::new), batch, mostRows, ipc), Sample::readFrom);
    }

    CompletableFuture<Long> finish(long wireId, long[] batches, long rows) {
        return call(CallKind.WAIT, () -> calls.finish(wireId, batches, rows), ByteBuffer::getLong);
    }

    CompletableFuture<int[]> completed(long wireId, int from, long timeoutNanos) {
        return call(CallKind.WAIT, () -> calls.completed(wireId, from, timeoutNanos), Rank::numbers);
    }

    CompletableFuture<FetchedPage> fetch(long wireId, int partition, int page) {
        return call(
                CallKind.FETCH,
                () -> calls.fetch(wireId, partition, page),
                reply -> new FetchedPage(reply.get() != 0, reply.slice()));
    }

    CompletableFuture<Done> release(long wireId, int partition) {
        return call(CallKind.CONTROL, () -> calls.release(wireId, partition), Rank::done);
    }

    CompletableFuture<Done> closeShuffle(long wireId) {
        return call(CallKind.CONTROL, () -> calls.closeShuffle(wireId), Rank::done);
    }

    CompletableFuture<Done> abort(long wireId, HeadraceException cause) {
        return call(
                CallKind.CONTROL,
                () -> calls.abort(wireId, cause.category().name(), String.valueOf(cause.getMessage())),
                Rank::done);
    }

    CompletableFuture<String> statistics() {
        return call(CallKind.CONTROL, calls::statistics, Rank::text);
    }

    CompletableFuture<Long> room() {
        return call(CallKind.CONTROL, calls::room, ByteBuffer::getLong);
    }

    CompletableFuture<Done> shutdown() {
        return call(CallKind.CONTROL, calls::shutdown, Rank::done);
    }

    private <T> CompletableFuture<T> call(
            CallKind kind, Supplier<CompletableFuture<byte[]>> start, Function<ByteBuffer, T> payload) {
        CallGate gate = Objects.requireNonNull(gates.get(kind));
        return gate.call(start).handle((reply, failure) -> {
            if (failure != null) {
                throw lostOr(Failures.ofCall(number, Failures.cause(failure)));
            }
            return payload.apply(Reply.open(number, reply));
        });
    }

    private HeadraceException lostOr(HeadraceException failure) {
        if (failure.category() == Category.PEER_LOST && failure.rank() == number) {
            boolean first;
            synchronized (this) {
                first = loss == null;
                loss = failure;
            }
            if (first) {
                onLost.accept(failure);
            }
        }
        return failure;
    }

    private static Done done(ByteBuffer reply) {
        return Done.DONE;
    }

    private static byte[] bytes(ByteBuffer reply) {
        byte[] bytes = new byte[reply.remaining()];
        reply.get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer reply) {
        return StandardCharsets.UTF_8.decode(reply).toString();
    }

    private static int[] numbers(ByteBuffer reply) {
        int[] numbers = new int[reply.getInt()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = reply.getInt();
        }
        return numbers;
    }

    /** A reply without a payload. */
    enum Done {
        DONE
    }

    /** The reply to an insert. */
    record Inserted(boolean accepted, long freeBytes, long rows) {}

    /** The reply to a fetch: bytes that follow those of the page before. */
    record FetchedPage(boolean last, ByteBuffer bytes) {}
}
