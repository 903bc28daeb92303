package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The 32 secret bytes that all ranks of one job have, and nobody else. Immutable; never shown by {@code toString}. */
public final class JobKey {
    /** The length of a key. */
    public static final int BYTES = 32;

    private final byte[] secret;

    private JobKey(byte[] secret) {
        this.secret = secret;
    }

    /** A key of the given 32 bytes, which are copied. */
    public static JobKey of(byte[] secret) {
        if (secret.length != BYTES) {
            throw HeadraceException.invalidInput("a job key has " + BYTES + " bytes, not " + secret.length);
        }
        return new JobKey(secret.clone());
    }

    /** The key that {@link #toHex} wrote. */
    public static JobKey parse(String hex) {
        try {
            return of(HexFormat.of().parseHex(hex));
        } catch (IllegalArgumentException e) {
            // Without the cause: its message quotes the key.
            throw HeadraceException.invalidInput("a job key is written as " + 2 * BYTES + " hexadecimal digits, not as "
                    + hex.length() + " characters");
        }
    }

    /** A new key from the system's secure random numbers. */
    public static JobKey random() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return new JobKey(secret);
    }

    /** For handing the key to another rank over a channel that is trusted. */
    public String toHex() {
        return HexFormat.of().formatHex(secret);
    }

    Mac mac() {
        return mac(secret);
    }

    static Mac mac(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw HeadraceException.internal("every Java runtime has HmacSHA256, but this one does not", e);
        }
    }

    @Override
    public String toString() {
        return "job key";
    }
}
