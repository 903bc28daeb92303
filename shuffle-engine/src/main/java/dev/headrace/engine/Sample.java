package dev.headrace.engine;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Rows of one batch that stand for all of its rows; immutable.
 *
 * @param batch the number of the batch
 * @param rows how many rows the whole batch has
 * @param stream an Arrow IPC stream of the key columns of the rows that were drawn
 */
public record Sample(long batch, long rows, byte[] stream) {

    /** How many bytes {@link #writeTo} writes. */
    public int bytes() {
        return 2 * Long.BYTES + Integer.BYTES + stream.length;
    }

    /** Batch i64, rows i64, length of the stream i32, and the stream; numbers are little-endian. */
    public void writeTo(ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN)
                .putLong(batch)
                .putLong(rows)
                .putInt(stream.length)
                .put(stream);
    }

    /** Reads what {@link #writeTo} wrote, and moves on behind it. */
    public static Sample readFrom(ByteBuffer source) {
        source.order(ByteOrder.LITTLE_ENDIAN);
        long batch = source.getLong();
        long rows = source.getLong();
        byte[] stream = new byte[source.getInt()];
        source.get(stream);
        return new Sample(batch, rows, stream);
    }
}
