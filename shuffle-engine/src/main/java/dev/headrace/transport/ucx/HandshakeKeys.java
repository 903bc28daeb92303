package dev.headrace.transport.ucx;

import dev.headrace.transport.ucx.HandshakeMessage.Nonce;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;

/**
 * Proves the job's key and makes a connection's keys from it. Every proof says first what it proves, and covers all
 * that was said before, so that no message of one handshake fits another, nor back to the one who sent it. Owner thread
 * only.
 */
final class HandshakeKeys {
    private final Mac mac;
    private final SecureRandom random = new SecureRandom();

    HandshakeKeys(JobKey key) {
        this.mac = key.mac();
    }

    Nonce newNonce() {
        byte[] bytes = new byte[HandshakeMessage.NONCE_BYTES];
        random.nextBytes(bytes);
        return new Nonce(bytes);
    }

    /** An id that a stranger can't guess; never 0. */
    long newConnectionId() {
        long id = random.nextLong();
        return id == 0 ? 1 : id;
    }

    /** The message with its proof behind it. */
    byte[] prove(HandshakeMessage message, byte[] answered) {
        byte[] said = message.encode();
        byte[] proven = Arrays.copyOf(said, said.length + HandshakeMessage.PROOF_BYTES);
        byte[] proof = compute(label(message), answered, said);
        System.arraycopy(proof, 0, proven, said.length, proof.length);
        return proven;
    }

    /** Whether the received bytes of the message were made by somebody with the key. */
    boolean proves(HandshakeMessage message, byte[] received, byte[] answered) {
        int said = received.length - HandshakeMessage.PROOF_BYTES;
        byte[] right = compute(label(message), answered, Arrays.copyOf(received, said));
        return MessageDigest.isEqual(right, Arrays.copyOfRange(received, said, received.length));
    }

    /** Signs what the connecting side sends. */
    HeaderSeal fromConnector(byte[] hello, byte[] challenge) {
        return new HeaderSeal(compute("headrace from connector", hello, challenge));
    }

    /** Signs what the accepting side sends. */
    HeaderSeal fromAcceptor(byte[] hello, byte[] challenge) {
        return new HeaderSeal(compute("headrace from acceptor", hello, challenge));
    }

    private static String label(HandshakeMessage message) {
        return switch (message) {
            case HandshakeMessage.Hello _ -> "headrace hello";
            case HandshakeMessage.Challenge _ -> "headrace challenge";
            case HandshakeMessage.Refusal _ -> "headrace refusal";
        };
    }

    private byte[] compute(String label, byte[] first, byte[] second) {
        mac.update(label.getBytes(StandardCharsets.US_ASCII));
        for (byte[] each : new byte[][] {first, second}) {
            // With the length, so that no two pairs of messages read the same.
            mac.update((byte) (each.length >>> 8));
            mac.update((byte) each.length);
            mac.update(each);
        }
        return mac.doFinal();
    }
}
