package dev.headrace.engine;

import dev.headrace.table.IpcMessage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The bytes of one page while it is written, behind room for a header. One thread. */
final class PageBytes {
    /** A page ends when the next record batch would take it over this; only a single larger one is cut. */
    static final int PAGE_BYTES = 8 << 20;

    private static final int FIRST_BYTES = 256 << 10;
    private static final int TAIL_BYTES = 1 << 10;

    private final int head;
    private byte[] bytes;
    private int size;

    /** Begins with the memory of a whole page if {@code large}: growing to it would copy the page once more. */
    PageBytes(int head, boolean large) {
        this.head = head;
        this.bytes = new byte[head + (large ? PAGE_BYTES + TAIL_BYTES : FIRST_BYTES)];
    }

    boolean isEmpty() {
        return size == 0;
    }

    int room() {
        return Math.max(0, PAGE_BYTES - size);
    }

    void add(byte[] more) {
        reserve(more.length);
        System.arraycopy(more, 0, bytes, head + size, more.length);
        size += more.length;
    }

    void add(IpcMessage message, long from, int length) {
        reserve(length);
        message.copyTo(from, MemorySegment.ofArray(bytes).asSlice(head + size, length));
        size += length;
    }

    private void reserve(int more) {
        int needed = head + size + more;
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(needed, Math.min(4 * bytes.length, head + PAGE_BYTES + TAIL_BYTES)));
        }
    }

    /** What was written, in an array of which at least three quarters are used. */
    Page toPage(boolean last) {
        int end = head + size;
        return new Page(end < bytes.length / 4 * 3 ? Arrays.copyOf(bytes, end) : bytes, head, size, last);
    }
}
