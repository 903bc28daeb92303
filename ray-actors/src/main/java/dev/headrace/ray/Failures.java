package dev.headrace.ray;

import dev.headrace.HeadraceException;
import io.ray.api.exception.RayActorException;
import io.ray.api.exception.RayTimeoutException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns whatever was thrown into the one error type; any thread. */
final class Failures {

    private Failures() {}

    /** The typed failure that it is or hides, else an INTERNAL one around it. */
    static HeadraceException typed(Throwable thrown) {
        Throwable cause = cause(thrown);
        if (cause instanceof HeadraceException typed) {
            return typed;
        }
        if (cause instanceof OutOfMemoryError) {
            return HeadraceException.outOfMemory("the JVM's heap of "
                    + Runtime.getRuntime().maxMemory() + " bytes (-Xmx) is too small: " + cause.getMessage());
        }
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        return HeadraceException.internal(cause.toString(), cause);
    }

    /** What was thrown first, without the wrappers that futures put around it. */
    static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException || cause instanceof ExecutionException) {
            Throwable inner = cause.getCause();
            if (inner == null) {
                return cause;
            }
            cause = inner;
        }
        return cause;
    }

    /** What went wrong with a call to the rank of that number, from what Ray threw. */
    static HeadraceException ofCall(int rank, Throwable thrown) {
        return switch (thrown) {
            case RayActorException lost ->
                HeadraceException.peerLost(rank, "rank " + rank + " is lost: " + lost.getMessage());
            case RayTimeoutException late ->
                HeadraceException.deadline("rank " + rank + " did not answer: " + late.getMessage());
            default -> typed(thrown);
        };
    }

    /** The same failure with the stack of the calling thread, for a waiter that did not cause it. */
    static HeadraceException seenHere(HeadraceException failure) {
        return new HeadraceException(
                failure.category(), failure.action(), failure.rank(), String.valueOf(failure.getMessage()), failure);
    }
}
