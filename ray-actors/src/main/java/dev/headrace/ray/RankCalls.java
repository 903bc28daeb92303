package dev.headrace.ray;

import java.util.concurrent.CompletableFuture;

/**
 * Starts calls to one rank's {@link RankActor}; never blocks, any thread. The seam between the driver and Ray: each
 * future ends with the reply's bytes, or with what Ray threw, and runs what depends on it on the seam's own thread.
 */
interface RankCalls {

    CompletableFuture<byte[]> describe();

    CompletableFuture<byte[]> address();

    CompletableFuture<byte[]> connectPeer(long rank, long incarnation, byte[] address);

    CompletableFuture<byte[]> awaitConnected(long timeoutNanos);

    CompletableFuture<byte[]> open(long wireId, RuleWords rule, long partitions, byte[] schema, long timeoutNanos);

    CompletableFuture<byte[]> insert(long wireId, long batch, StoredBatch ipc);

    CompletableFuture<byte[]> sample(String[] keys, long batch, long mostRows, StoredBatch ipc);

    CompletableFuture<byte[]> finish(long wireId, long[] batches, long rows);

    CompletableFuture<byte[]> completed(long wireId, long from, long timeoutNanos);

    CompletableFuture<byte[]> fetch(long wireId, long partition, long page);

    CompletableFuture<byte[]> release(long wireId, long partition);

    CompletableFuture<byte[]> closeShuffle(long wireId);

    CompletableFuture<byte[]> abort(long wireId, String category, String message);

    CompletableFuture<byte[]> statistics();

    CompletableFuture<byte[]> room();

    CompletableFuture<byte[]> shutdown();
}
