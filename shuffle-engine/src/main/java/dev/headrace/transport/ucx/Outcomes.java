package dev.headrace.transport.ucx;

import dev.headrace.transport.TransportListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * What the listener has still to be told, in order; told only from inside of the transport's progress. Owner thread
 * only.
 */
final class Outcomes {
    private final Deque<Consumer<TransportListener>> waiting = new ArrayDeque<>();

    void add(Consumer<TransportListener> outcome) {
        waiting.add(outcome);
    }

    void sent(long token) {
        if (token != 0) {
            waiting.add(listener -> listener.onSent(token));
        }
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int deliver(TransportListener listener) {
        int told = 0;
        for (Consumer<TransportListener> each = waiting.poll(); each != null; each = waiting.poll()) {
            each.accept(listener);
            told++;
        }
        return told;
    }
}
