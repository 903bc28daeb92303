package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.ray.Rank.FetchedPage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A complete partition: one Arrow IPC stream that lies at its owner rank and comes in pages. Its rows are held there
 * until {@link #release} or until the shuffle is closed, and may be read again until then. One thread at a time.
 */
public final class RayPartition {

    private final int number;
    private final long wireId;
    private final Rank owner;
    private final Outcome outcome;
    private final TimeLimit limit;
    private int nextPage;
    private boolean ended;
    private boolean released;
    private @Nullable CompletableFuture<FetchedPage> coming;

    RayPartition(int number, long wireId, Rank owner, Outcome outcome, TimeLimit limit) {
        this.number = number;
        this.wireId = wireId;
        this.owner = owner;
        this.outcome = outcome;
        this.limit = limit;
    }

    /** From 0 to the shuffle's number of partitions - 1. */
    public int number() {
        return number;
    }

    /** The bytes that follow those of the page before, at most 2 GiB; null after the last page. */
    public @Nullable ByteBuffer nextPage() {
        checkHeld();
        outcome.check();
        if (ended) {
            return null;
        }
        CompletableFuture<FetchedPage> reply = coming == null ? fetch() : coming;
        FetchedPage page = outcome.await(reply, limit, "fetch of partition " + number);
        nextPage++;
        ended = page.last();
        // The next page travels while the caller uses this one.
        coming = ended ? null : fetch();
        return page.bytes();
    }

    /** Begins again with the first page. */
    public void rewind() {
        checkHeld();
        nextPage = 0;
        ended = false;
        coming = null;
    }

    /** Writes what is left of the Arrow IPC stream; does not close the target. */
    public void writeTo(OutputStream target) throws IOException {
        for (ByteBuffer page = nextPage(); page != null; page = nextPage()) {
            target.write(page.array(), page.arrayOffset() + page.position(), page.remaining());
        }
    }

    /** What is left of the Arrow IPC stream, as a stream that asks for pages as it is read. */
    public InputStream stream() {
        return new PageStream(this);
    }

    /** The rows are delivered: frees them at their owner. Releasing again does nothing. */
    public void release() {
        if (!released) {
            released = true;
            outcome.await(owner.release(wireId, number), limit, "release of partition " + number);
        }
    }

    private CompletableFuture<FetchedPage> fetch() {
        return owner.fetch(wireId, number, nextPage);
    }

    private void checkHeld() {
        if (released) {
            throw HeadraceException.invalidInput("partition " + number + " was released");
        }
    }

    private static final class PageStream extends InputStream {
        private final RayPartition partition;
        private ByteBuffer page = ByteBuffer.allocate(0);

        PageStream(RayPartition partition) {
            this.partition = partition;
        }

        @Override
        public int read() {
            return fill() ? page.get() & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int bytes = Math.min(length, page.remaining());
            page.get(target, offset, bytes);
            return bytes;
        }

        private boolean fill() {
            while (!page.hasRemaining()) {
                ByteBuffer next = partition.nextPage();
                if (next == null) {
                    return false;
                }
                page = next;
            }
            return true;
        }
    }
}
