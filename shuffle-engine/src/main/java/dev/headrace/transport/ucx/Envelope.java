package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.transport.Transport;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

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
 *  | offset in the sender's region     | sample         | zero          |
 * 48-----------------------------------+----------------+---------------+
 *  | HMAC-SHA256 of bytes 0..47 and of the header, first 16 bytes       |
 * 64--------------------------------------------------------------------+
 *  | header, then, for short bodies, the body                           |
 * </pre>
 *
 * The key of the HMAC is made from the job's key and from the nonces of both sides, so it names the connection, too; it
 * differs for the two directions. The sample is a CRC32C over the first bytes of a body that is read from shared memory.
 */
record Envelope(
        Kind kind, int headerBytes, long connection, long sequence, long bodyBytes, long sharedOffset, int sample) {
    static final int BYTES = 64;
    static final int MAC_AT = 48;
    static final int MAC_BYTES = 16;
    static final long NO_BODY = -1;

    private static final short MAGIC = 0x5248;

    /** What a message is for. The ordinal is on the wire. */
    enum Kind {
        /** A header of the engine alone. */
        MESSAGE,
        /** A header of the engine with a body that comes through UCX. */
        BODY,
        /** A header of the engine with a body that is to be read from the sender's shared memory. */
        SHARED_BODY,
        /** The first message of the side that connected: the proof that it has the key. */
        READY,
        /** Sent when there was nothing else to say. */
        HEARTBEAT,
        /** Where the sender's shared memory is. */
        REGION,
        /** The sender can read the receiver's shared memory. */
        REGION_READABLE;

        private static final Kind[] ALL = values();
    }

    void write(ByteBuffer target) {
        target.order(ByteOrder.LITTLE_ENDIAN)
                .putShort(0, MAGIC)
                .putShort(2, (short) kind.ordinal())
                .putInt(4, headerBytes)
                .putLong(8, connection)
                .putLong(16, sequence)
                .putLong(24, bodyBytes)
                .putLong(32, sharedOffset)
                .putInt(40, sample)
                .putInt(44, 0);
    }

    /** Takes an envelope apart; says nothing about whether it is genuine. */
    static Envelope read(byte[] message) {
        if (message.length < BYTES) {
            throw HeadraceException.corruptData("a message of " + message.length + " bytes is too short for an envelope");
        }
        ByteBuffer source = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        int kind = source.getShort(2);
        Envelope envelope = new Envelope(
                kind < 0 || kind >= Kind.ALL.length ? Kind.HEARTBEAT : Kind.ALL[kind],
                source.getInt(4),
                source.getLong(8),
                source.getLong(16),
                source.getLong(24),
                source.getLong(32),
                source.getInt(40));
        boolean known = source.getShort(0) == MAGIC && kind == envelope.kind.ordinal() && source.getInt(44) == 0;
        if (!known || envelope.headerBytes != message.length - BYTES || envelope.bodyBytes < NO_BODY) {
            throw HeadraceException.corruptData("a message of " + message.length + " bytes has a damaged envelope");
        }
        if (envelope.headerBytes > Transport.MAX_HEADER_BYTES) {
            throw HeadraceException.corruptData("a header of " + envelope.headerBytes + " bytes is over the limit of "
                    + Transport.MAX_HEADER_BYTES);
        }
        return envelope;
    }
}
