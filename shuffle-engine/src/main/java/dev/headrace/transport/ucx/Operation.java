package dev.headrace.transport.ucx;

import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * Something that UCX was asked to do and has not finished: holds on to the memory in question until then. UCX completes
 * it from inside its own calls, which only queues the news; {@link #finished} runs later on the owner's own stack.
 */
abstract class Operation extends UcxCallback {
    private final UcxEndpoint endpoint;
    private final Deque<WorkerEvent> events;
    private boolean complete;

    Operation(UcxEndpoint endpoint) {
        this.endpoint = endpoint;
        this.events = endpoint.begin();
    }

    /** It is over; the error is null for success. */
    abstract void finished(@Nullable String error);

    @Override
    public final void onSuccess(UcpRequest request) {
        complete(null);
    }

    @Override
    public final void onError(int status, String message) {
        complete(message + " (UCX status " + status + ")");
    }

    /** Only the first call counts: a send that fails at once is both called back and thrown. */
    final void complete(@Nullable String error) {
        if (complete) {
            return;
        }
        complete = true;
        endpoint.end();
        events.add(new WorkerEvent.Completed(this, error));
    }
}
