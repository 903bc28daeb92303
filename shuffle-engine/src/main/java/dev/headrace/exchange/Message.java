package dev.headrace.exchange;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The headers that ranks send each other, as bytes; immutable. Little-endian, without padding:
 *
 * <pre>
 * Want      0 | bytes i64                          I have one more frame of that many bytes for you
 * Grant     1 | bytes i64 | count i32              send me count frames of at most that many bytes each
 * Decline   2 | bytes i64 | count i32              I no longer have what you granted for
 * Data      3 | wire id i64 | sequence i64         the body that comes with it is a frame
 * Receipt   4 | sequence i64                       I have that frame in my own care
 * Abort     5 | wire id i64 | rank i32 | length i32 | UTF-8: category, newline, action, newline, message
 * </pre>
 */
sealed interface Message {

    record Want(long bytes) implements Message {}

    record Grant(long bytes, int count) implements Message {}

    record Decline(long bytes, int count) implements Message {}

    record Data(long wireId, long sequence) implements Message {}

    record Receipt(long sequence) implements Message {}

    record Abort(long wireId, Category category, Action action, int rank, String message) implements Message {
        static Abort of(long wireId, HeadraceException cause) {
            String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
            return new Abort(wireId, cause.category(), cause.action(), cause.rank(), text);
        }

        HeadraceException toException() {
            return new HeadraceException(category, action, rank, message);
        }
    }

    ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    int MAX_TEXT_BYTES = 2048;
    int MAX_BYTES = 1 + 8 + 4 + 4 + MAX_TEXT_BYTES;

    /** Reused memory for {@link #writeTo}; lives until the arena closes. */
    static MemorySegment buffer(Arena arena) {
        return arena.allocate(MAX_BYTES, 8);
    }

    /** Writes the message at the start of the buffer and returns the part that it fills. */
    default MemorySegment writeTo(MemorySegment buffer) {
        return switch (this) {
            case Want(long bytes) -> longs(buffer, 0, bytes);
            case Grant(long bytes, int count) -> counted(buffer, 1, bytes, count);
            case Decline(long bytes, int count) -> counted(buffer, 2, bytes, count);
            case Data(long wireId, long sequence) -> longs(buffer, 3, wireId, sequence);
            case Receipt(long sequence) -> longs(buffer, 4, sequence);
            case Abort abort -> writeAbort(buffer, abort);
        };
    }

    private static MemorySegment longs(MemorySegment buffer, int type, long... values) {
        buffer.set(ValueLayout.JAVA_BYTE, 0, (byte) type);
        for (int i = 0; i < values.length; i++) {
            buffer.set(LONG, 1 + 8L * i, values[i]);
        }
        return buffer.asSlice(0, 1 + 8L * values.length);
    }

    private static MemorySegment counted(MemorySegment buffer, int type, long bytes, int count) {
        longs(buffer, type, bytes);
        buffer.set(INT, 9, count);
        return buffer.asSlice(0, 13);
    }

    private static MemorySegment writeAbort(MemorySegment buffer, Abort abort) {
        longs(buffer, 5, abort.wireId());
        buffer.set(INT, 9, abort.rank());
        String words = abort.category().name() + '\n' + abort.action().name() + '\n' + abort.message();
        byte[] text = words.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MAX_TEXT_BYTES);
        buffer.set(INT, 13, length);
        MemorySegment.copy(text, 0, buffer, ValueLayout.JAVA_BYTE, 17, length);
        return buffer.asSlice(0, 17L + length);
    }

    /** Reads a header; a HeadraceException of CORRUPT_DATA if it is none of ours. */
    static Message read(MemorySegment header) {
        try {
            int type = header.get(ValueLayout.JAVA_BYTE, 0);
            return switch (type) {
                case 0 -> new Want(header.get(LONG, 1));
                case 1 -> new Grant(header.get(LONG, 1), header.get(INT, 9));
                case 2 -> new Decline(header.get(LONG, 1), header.get(INT, 9));
                case 3 -> new Data(header.get(LONG, 1), header.get(LONG, 9));
                case 4 -> new Receipt(header.get(LONG, 1));
                case 5 -> readAbort(header);
                default -> throw HeadraceException.corruptData("message of unknown type " + type);
            };
        } catch (IndexOutOfBoundsException e) {
            throw HeadraceException.corruptData("message of " + header.byteSize() + " bytes is cut short");
        }
    }

    private static Abort readAbort(MemorySegment header) {
        byte[] text = header.asSlice(17, header.get(INT, 13)).toArray(ValueLayout.JAVA_BYTE);
        String[] words = new String(text, StandardCharsets.UTF_8).split("\n", 3);
        if (words.length < 3) {
            throw HeadraceException.corruptData("abort message without a category and an action");
        }
        try {
            return new Abort(
                    header.get(LONG, 1),
                    Category.valueOf(words[0]),
                    Action.valueOf(words[1]),
                    header.get(INT, 9),
                    words[2]);
        } catch (IllegalArgumentException e) {
            throw HeadraceException.corruptData(
                    "abort message of unknown category " + words[0] + " or action " + words[1]);
        }
    }
}
