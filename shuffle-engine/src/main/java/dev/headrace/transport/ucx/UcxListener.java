package dev.headrace.transport.ucx;

import java.net.InetSocketAddress;
import java.util.Deque;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerParams;
import org.openucx.jucx.ucp.UcpWorker;

/** UCX's open port. Made by {@link UcxWorker}, closed before it by the transport. */
final class UcxListener implements AutoCloseable {
    private final UcpListener handle;

    UcxListener(UcpWorker worker, InetSocketAddress at, Deque<WorkerEvent> events) {
        this.handle = worker.newListener(new UcpListenerParams()
                .setSockAddr(at)
                .setConnectionHandler(request -> events.add(new WorkerEvent.Requested(request))));
    }

    InetSocketAddress socket() {
        return handle.getAddress();
    }

    @Override
    public void close() {
        handle.close();
    }
}
