package dev.headrace.ray;

import dev.headrace.HeadraceException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whether a shuffle has failed, and why: the first failure counts and ends every wait. Thread-safe. */
final class Outcome {

    private final CompletableFuture<HeadraceException> failure = new CompletableFuture<>();

    /** True if this was the first failure. */
    boolean fail(HeadraceException cause) {
        return failure.complete(cause);
    }

    boolean failed() {
        return failure.isDone();
    }

    /** Throws the failure, if there is one. */
    void check() {
        @Nullable HeadraceException cause = failure.getNow(null);
        if (cause != null) {
            throw Failures.seenHere(cause);
        }
    }

    /** Runs once, on the thread that fails the shuffle, or at once if it has failed. */
    void onFailure(Consumer<HeadraceException> listener) {
        var _ = failure.thenAccept(listener);
    }

    /** The value of a reply, unless the shuffle fails first or the time is over. */
    <T> T await(CompletableFuture<T> reply, TimeLimit limit, String what) {
        limit.await(CompletableFuture.anyOf(reply, failure), what);
        check();
        return limit.await(reply, what);
    }
}
