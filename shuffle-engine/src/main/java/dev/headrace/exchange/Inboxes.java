package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** The open inboxes of one rank by wire id, and a tombstone for each that was closed. Thread-safe; owns no inbox. */
final class Inboxes {
    private final Map<Long, Inbox> open = new ConcurrentHashMap<>();
    private final Roaring64Bitmap closed = new Roaring64Bitmap();
    private volatile @Nullable HeadraceException poison;

    void add(Inbox inbox) {
        if (poison != null) {
            throw poison;
        }
        if (isClosed(inbox.wireId()) || open.putIfAbsent(inbox.wireId(), inbox) != null) {
            throw HeadraceException.invalidInput("shuffle " + inbox.wireId() + " was opened before");
        }
    }

    @Nullable
    Inbox get(long wireId) {
        return open.get(wireId);
    }

    Collection<Inbox> all() {
        return open.values();
    }

    void close(long wireId) {
        synchronized (closed) {
            closed.add(wireId);
        }
        open.remove(wireId);
    }

    boolean isClosed(long wireId) {
        synchronized (closed) {
            return closed.contains(wireId);
        }
    }

    void failAll(HeadraceException cause) {
        open.values().forEach(inbox -> inbox.fail(cause));
    }

    /** Fails every inbox, and those that are opened later. */
    void poison(HeadraceException cause) {
        poison = cause;
        failAll(cause);
    }
}
