package dev.headrace.transport.inprocess;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One message on its way. The sender's thread makes and revokes it, the receiver's thread copies from it; both hold its
 * monitor meanwhile, so that after {@link #revoke} nobody reads the sender's memory any more.
 */
final class Parcel {
    private static final long NO_BODY = -1;

    private final Line line;
    private final byte[] header;
    private final long token;
    private final long bodyBytes;
    private @Nullable MemorySegment body;

    Parcel(Line line, byte[] header, @Nullable MemorySegment body, long token) {
        this.line = line;
        this.header = header;
        this.bodyBytes = body == null ? NO_BODY : body.byteSize();
        this.body = body;
        this.token = token;
    }

    Line line() {
        return line;
    }

    MemorySegment header() {
        return MemorySegment.ofArray(header).asReadOnly();
    }

    long token() {
        return token;
    }

    boolean hasBody() {
        return bodyBytes != NO_BODY;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    /** Copies the body unless it was revoked; says whether it did. */
    synchronized boolean copyTo(MemorySegment target) {
        if (body == null) {
            return false;
        }
        target.copyFrom(body);
        return true;
    }

    synchronized void revoke() {
        body = null;
    }
}
