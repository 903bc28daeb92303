package dev.headrace.transport.ucx;

import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/** Signs, or checks, the messages of one direction of one connection. Owner thread only. */
final class HeaderSeal {
    private final Mac mac;

    HeaderSeal(byte[] key) {
        this.mac = JobKey.mac(key);
    }

    /** Puts the signature into a message whose envelope and header are complete. */
    void sign(byte[] message, int bytes) {
        System.arraycopy(compute(message, bytes), 0, message, Envelope.MAC_AT, Envelope.MAC_BYTES);
    }

    boolean verify(byte[] message) {
        byte[] found = Arrays.copyOfRange(message, Envelope.MAC_AT, Envelope.MAC_AT + Envelope.MAC_BYTES);
        byte[] right = Arrays.copyOf(compute(message, message.length), Envelope.MAC_BYTES);
        return MessageDigest.isEqual(found, right);
    }

    private byte[] compute(byte[] message, int bytes) {
        mac.update(message, 0, Envelope.MAC_AT);
        mac.update(message, Envelope.BYTES, bytes - Envelope.BYTES);
        return mac.doFinal();
    }
}
