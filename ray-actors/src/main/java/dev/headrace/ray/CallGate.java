package dev.headrace.ray;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets a limited number of calls of one kind be in flight to one rank; the others queue. Thread-safe, never blocks. */
final class CallGate {

    private final int inFlightLimit;
    private final Queue<Queued> queue = new ArrayDeque<>();
    private int inFlight;

    CallGate(int inFlightLimit) {
        this.inFlightLimit = inFlightLimit;
    }

    CompletableFuture<byte[]> call(Supplier<CompletableFuture<byte[]>> start) {
        Queued call = new Queued(start, new CompletableFuture<>());
        synchronized (this) {
            if (inFlight == inFlightLimit) {
                queue.add(call);
                return call.reply;
            }
            inFlight++;
        }
        start(call);
        return call.reply;
    }

    private void start(Queued first) {
        Queued call = first;
        while (call != null) {
            CompletableFuture<byte[]> reply;
            try {
                reply = call.start.get();
            } catch (RuntimeException notStarted) {
                call.reply.completeExceptionally(notStarted);
                call = next();
                continue;
            }
            Queued started = call;
            var _ = reply.whenComplete((bytes, failure) -> ended(started, bytes, failure));
            return;
        }
    }

    private void ended(Queued call, byte @Nullable [] bytes, @Nullable Throwable failure) {
        // The place goes on first: what depends on the reply may call again.
        Queued next = next();
        if (next != null) {
            start(next);
        }
        if (failure != null) {
            call.reply.completeExceptionally(failure);
        } else {
            call.reply.complete(bytes);
        }
    }

    private synchronized @Nullable Queued next() {
        Queued next = queue.poll();
        if (next == null) {
            inFlight--;
        }
        return next;
    }

    private record Queued(Supplier<CompletableFuture<byte[]>> start, CompletableFuture<byte[]> reply) {}
}
