package dev.headrace.ray;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.engine.Page;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that every method of {@link RankActor} answers with; numbers are little-endian. Exceptions never cross Ray:
 * its serializer can kill the worker, and another language would get a text only.
 *
 * <pre>
 *  done    | 0 | payload ...                                              |
 *  failed  | 1 | category u8 | action u8 | rank i32 | message, UTF-8 ...  |
 * </pre>
 */
@SuppressWarnings("EnumOrdinal") // the numbers on the wire; names would tie the drivers to one language
final class Reply {

    /** Keeps the bytes of a page aligned in the object store, so that columns can be used where they lie. */
    static final int PAGE_HEAD_BYTES = 64;

    private static final byte DONE = 0;
    private static final byte FAILED = 1;
    private static final int FAILURE_HEADER_BYTES = 7;

    private Reply() {}

    /** Does the work; whatever it throws becomes a failure reply. */
    static byte[] of(Work work) {
        try {
            return work.run();
        } catch (Throwable cause) {
            return failed(Failures.typed(cause));
        }
    }

    static byte[] done() {
        return new byte[] {DONE};
    }

    static byte[] done(byte[] payload) {
        byte[] reply = new byte[1 + payload.length];
        System.arraycopy(payload, 0, reply, 1, payload.length);
        return reply;
    }

    static byte[] done(String text) {
        return done(text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] done(long number) {
        return done(Long.BYTES, payload -> payload.putLong(number));
    }

    /** A reply whose payload has that many bytes, written by the caller. */
    static byte[] done(int payloadBytes, Consumer<ByteBuffer> writer) {
        byte[] reply = new byte[1 + payloadBytes];
        writer.accept(ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN).put(DONE));
        return reply;
    }

    /** The array of a page that was fetched behind {@link #PAGE_HEAD_BYTES}: last u8 at 1, length i64 at 8. */
    static byte[] done(Page page) {
        ByteBuffer.wrap(page.array())
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, DONE)
                .put(1, (byte) (page.last() ? 1 : 0))
                .putLong(Long.BYTES, page.length());
        return page.array();
    }

    static byte[] failed(HeadraceException failure) {
        byte[] message = String.valueOf(failure.getMessage()).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FAILURE_HEADER_BYTES + message.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(FAILED)
                .put((byte) failure.category().ordinal())
                .put((byte) failure.action().ordinal())
                .putInt(failure.rank())
                .put(message)
                .array();
    }

    /** The payload of a reply from a rank, or the failure that it holds, thrown. */
    static ByteBuffer open(int fromRank, byte @Nullable [] reply) {
        if (reply == null || reply.length == 0) {
            throw unreadable(fromRank, "is empty", null);
        }
        ByteBuffer buffer = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
        byte state = buffer.get();
        if (state == DONE) {
            return buffer;
        }
        if (state != FAILED) {
            throw unreadable(fromRank, "begins with " + state, null);
        }
        throw failure(fromRank, buffer);
    }

    private static HeadraceException failure(int fromRank, ByteBuffer buffer) {
        try {
            Category category = Category.values()[buffer.get()];
            Action action = Action.values()[buffer.get()];
            int rank = buffer.getInt();
            String message = StandardCharsets.UTF_8.decode(buffer).toString();
            return new HeadraceException(
                    category, action, rank == HeadraceException.NO_RANK ? fromRank : rank, message);
        } catch (BufferUnderflowException | ArrayIndexOutOfBoundsException cause) {
            return unreadable(fromRank, "does not hold a known failure", cause);
        }
    }

    private static HeadraceException unreadable(int fromRank, String what, @Nullable Throwable cause) {
        return HeadraceException.internal(
                "the reply of rank " + fromRank + " " + what + ": are jar and driver of one version?",
                cause == null ? new IllegalStateException(what) : cause);
    }

    /** What a method of the actor does; it may throw anything. */
    @FunctionalInterface
    interface Work {
        byte[] run() throws Exception;
    }
}
