package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The three things that are said before a connection stands. Each ends with an HMAC-SHA256 by the job's key over what
 * it is, what it answers and what it says ({@link HandshakeKeys}); little-endian.
 *
 * <pre>
 * hello     : magic u32, 1 u32, connection id of the one who connects i64, rank i32, incarnation i64,
 *             rank wanted i32, incarnation wanted i64, nonce 32 bytes, proof 32 bytes
 * challenge : magic u32, 2 u32, connection id of the hello i64, connection id of the one who accepts i64,
 *             nonce 32 bytes, proof 32 bytes
 * refusal   : magic u32, 3 u32, connection id of the hello i64, reason UTF-8, proof 32 bytes
 * </pre>
 */
sealed interface HandshakeMessage {
    int MAGIC = 0x32_41_52_48;
    int NONCE_BYTES = 32;
    int PROOF_BYTES = 32;
    int MAX_REASON_BYTES = 500;

    /** The id that the connecting side gave to the connection. */
    long connectorId();

    /** The message without its proof. */
    byte[] encode();

    record Hello(long connectorId, PeerId from, PeerId to, Nonce nonce) implements HandshakeMessage {
        @Override
        public byte[] encode() {
            return buffer(40 + NONCE_BYTES)
                    .putInt(MAGIC)
                    .putInt(1)
                    .putLong(connectorId)
                    .putInt(from.rank())
                    .putLong(from.incarnation())
                    .putInt(to.rank())
                    .putLong(to.incarnation())
                    .put(nonce.bytes())
                    .array();
        }
    }

    record Challenge(long connectorId, long acceptorId, Nonce nonce) implements HandshakeMessage {
        @Override
        public byte[] encode() {
            return buffer(24 + NONCE_BYTES)
                    .putInt(MAGIC)
                    .putInt(2)
                    .putLong(connectorId)
                    .putLong(acceptorId)
                    .put(nonce.bytes())
                    .array();
        }
    }

    record Refusal(long connectorId, String reason) implements HandshakeMessage {
        @Override
        public byte[] encode() {
            byte[] text = reason.getBytes(StandardCharsets.UTF_8);
            byte[] kept = Arrays.copyOf(text, Math.min(text.length, MAX_REASON_BYTES));
            return buffer(16 + kept.length)
                    .putInt(MAGIC)
                    .putInt(3)
                    .putLong(connectorId)
                    .put(kept)
                    .array();
        }
    }

    /** Random bytes that are used once. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Nonce(byte[] bytes) {}

    /** Takes a message apart, the proof cut off; says nothing about whether it is genuine. */
    static HandshakeMessage decode(byte[] message) {
        try {
            ByteBuffer source = ByteBuffer.wrap(message, 0, Math.max(0, message.length - PROOF_BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN);
            int magic = source.getInt();
            int kind = source.getInt();
            HandshakeMessage decoded = magic == MAGIC ? decode(kind, source) : null;
            if (decoded != null && !source.hasRemaining()) {
                return decoded;
            }
        } catch (BufferUnderflowException e) {
            // told below
        }
        throw HeadraceException.corruptData("a damaged handshake of " + message.length + " bytes");
    }

    private static @Nullable HandshakeMessage decode(int kind, ByteBuffer source) {
        long connectorId = source.getLong();
        return switch (kind) {
            case 1 -> {
                PeerId from = new PeerId(source.getInt(), source.getLong());
                PeerId to = new PeerId(source.getInt(), source.getLong());
                yield new Hello(connectorId, from, to, nonce(source));
            }
            case 2 -> new Challenge(connectorId, source.getLong(), nonce(source));
            case 3 -> {
                byte[] text = new byte[source.remaining()];
                source.get(text);
                yield new Refusal(connectorId, new String(text, StandardCharsets.UTF_8));
            }
            default -> null;
        };
    }

    private static Nonce nonce(ByteBuffer source) {
        byte[] bytes = new byte[NONCE_BYTES];
        source.get(bytes);
        return new Nonce(bytes);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
