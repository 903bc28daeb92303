package dev.headrace.ray;

import io.ray.api.ObjectRef;
import io.ray.api.Ray;
import io.ray.api.WaitResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns Ray's references, which can only be waited for, into futures: one daemon thread waits for all replies and runs
 * what depends on them, so nothing there may block.
 */
final class ReplyPump implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReplyPump.class);

    /** How long a new call may stay unnoticed while older ones are waited for. */
    private static final int SLICE_MILLIS = 5;

    private final LinkedBlockingQueue<Awaited> arrivals = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    ReplyPump() {
        thread = Thread.ofPlatform().daemon().name("headrace-replies").start(this::run);
    }

    CompletableFuture<byte[]> reply(ObjectRef<byte[]> reference) {
        CompletableFuture<byte[]> reply = new CompletableFuture<>();
        arrivals.add(new Awaited(reference, reply));
        if (closed) {
            reply.completeExceptionally(new IllegalStateException("the driver is closed"));
        }
        return reply;
    }

    /** Ends the thread; what was still awaited fails. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException cause) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Map<ObjectRef<byte[]>, Awaited> pending = new HashMap<>();
        while (!closed) {
            try {
                takeArrivals(pending);
                completeReady(pending);
            } catch (InterruptedException closing) {
                // The loop's condition says whether to go on.
            } catch (RuntimeException broken) {
                // Ray is gone or was shut down under the driver: no reply will come any more.
                LOG.error("Waiting for replies of Ray failed", broken);
                failAll(pending, broken);
            }
        }
        failAll(pending, new IllegalStateException("the driver is closed"));
    }

    private void takeArrivals(Map<ObjectRef<byte[]>, Awaited> pending) throws InterruptedException {
        if (pending.isEmpty()) {
            Awaited first = arrivals.take();
            pending.put(first.reference, first);
        }
        List<Awaited> more = new ArrayList<>();
        arrivals.drainTo(more);
        for (Awaited each : more) {
            pending.put(each.reference, each);
        }
    }

    private static void completeReady(Map<ObjectRef<byte[]>, Awaited> pending) {
        List<ObjectRef<byte[]>> references = new ArrayList<>(pending.keySet());
        if (Ray.wait(references, 1, SLICE_MILLIS).getReady().isEmpty()) {
            return;
        }
        WaitResult<byte[]> all = Ray.wait(references, references.size(), 0);
        for (ObjectRef<byte[]> reference : all.getReady()) {
            Awaited awaited = pending.remove(reference);
            if (awaited != null) {
                complete(awaited);
            }
        }
    }

    private static void complete(Awaited awaited) {
        byte[] reply;
        try {
            reply = awaited.reference.get();
        } catch (RuntimeException failure) {
            awaited.reply.completeExceptionally(failure);
            return;
        }
        awaited.reply.complete(reply);
    }

    private void failAll(Map<ObjectRef<byte[]>, Awaited> pending, RuntimeException cause) {
        List<Awaited> lost = new ArrayList<>(pending.values());
        pending.clear();
        arrivals.drainTo(lost);
        for (Awaited each : lost) {
            each.reply.completeExceptionally(cause);
        }
    }

    private record Awaited(ObjectRef<byte[]> reference, CompletableFuture<byte[]> reply) {}
}
