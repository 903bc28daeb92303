package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.transport.Transport;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What stands before the header of every message of an established connection; little-endian.
 *
 * <pre>
 *  0        2        4                8
 *  +--------+--------+----------------+--------------------------------+
 *  | magic  | kind   | header bytes   | connection id of the receiver  |
 * 16--------+--------+----------------+--------------------------------+
 *  | sequence, from 1 in each direction | body bytes, or -1 for no body |
 * 32-----------------------------------+----------------+---------------+
 *  | offset in region, or in the body  | sample         | zero          |
 * 48-----------------------------------+----------------+---------------+
 *  | HMAC-SHA256 of bytes 0..47 and of the header, first 16 bytes       |
 * 64--------------------------------------------------------------------+
 *  | header, then, for short bodies, the body                           |
 * </pre>
 *
 * The key of the HMAC is made from the job's key and from the nonces of both sides, so it names the connection, too; it
 * differs for the two directions. The sample is a CRC32C over the first bytes of a body that is read from shared
 * memory.
 */
record Envelope(Kind kind, int headerBytes, long connection, long sequence, long bodyBytes, long offset, int sample) {
    static final int BYTES = 64;
    static final int MAC_AT = 48;
    static final int MAC_BYTES = 16;
    static final long NO_BODY = -1;

    /** What the header of a part consists of. */
    static final ValueLayout.OfLong PART_ID = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final short MAGIC = 0x5248;

    /** What a message is for. */
    enum Kind {
        /** A header of the engine alone. */
        MESSAGE(1),
        /** A header of the engine with a body that comes through UCX, or the first part of it. */
        BODY(2),
        /** More of a body: the offset is the part's, the header is the sequence number of the message that began it. */
        BODY_PART(8),
        /** A header of the engine with a body that is to be read from the sender's shared memory. */
        SHARED_BODY(3),
        /** The first message of the side that connected: the proof that it has the key. */
        READY(4),
        /** Sent when there was nothing else to say. */
        HEARTBEAT(5),
        /** Where the sender's shared memory is. */
        REGION(6),
        /** The sender can read the receiver's shared memory. */
        REGION_READABLE(7);

        private final short code;

        Kind(int code) {
            this.code = (short) code;
        }

        static @Nullable Kind of(short code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            return null;
        }
    }

    void write(ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN)
                .putShort(0, MAGIC)
                .putShort(2, kind.code)
                .putInt(4, headerBytes)
                .putLong(8, connection)
                .putLong(16, sequence)
                .putLong(24, bodyBytes)
                .putLong(32, offset)
                .putInt(40, sample)
                .putInt(44, 0);
    }

    /** Takes an envelope apart; says nothing about whether it is genuine. */
    static Envelope read(byte[] message) {
        if (message.length < BYTES) {
            throw HeadraceException.corruptData(
                    "a message of " + message.length + " bytes is too short for an envelope");
        }
        ByteBuffer source = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        Kind kind = Kind.of(source.getShort(2));
        boolean known = source.getShort(0) == MAGIC && source.getInt(44) == 0;
        int headerBytes = source.getInt(4);
        long bodyBytes = source.getLong(24);
        if (kind == null || !known || headerBytes != message.length - BYTES || bodyBytes < NO_BODY) {
            throw HeadraceException.corruptData("a message of " + message.length + " bytes has a damaged envelope");
        }
        if (headerBytes > Transport.MAX_HEADER_BYTES) {
            throw HeadraceException.corruptData(
                    "a header of " + headerBytes + " bytes is over the limit of " + Transport.MAX_HEADER_BYTES);
        }
        return new Envelope(
                kind,
                headerBytes,
                source.getLong(8),
                source.getLong(16),
                bodyBytes,
                source.getLong(32),
                source.getInt(40));
    }
}
