package dev.headrace.engine;

import dev.headrace.HeadraceException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Things that are given back together, the last one taken first. One thread. */
final class Held implements AutoCloseable {
    private final Deque<AutoCloseable> held = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T one) {
        held.push(one);
        return one;
    }

    @Override
    public void close() {
        while (!held.isEmpty()) {
            try {
                held.pop().close();
            } catch (Exception e) {
                throw HeadraceException.internal("can't free assembled columns: " + e, e);
            }
        }
    }
}
