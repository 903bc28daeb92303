package dev.headrace.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a name or of metadata as Arrow carries them: meant to be UTF-8, kept exactly where they are not.
 * Immutable; equal if the bytes are.
 */
public final class RawText {
    public static final RawText EMPTY = new RawText(new byte[0]);

    private final byte[] bytes;

    private RawText(byte[] bytes) {
        this.bytes = bytes;
    }

    public static RawText of(String text) {
        return new RawText(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Copies the given bytes. */
    public static RawText of(byte[] bytes) {
        return new RawText(bytes.clone());
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    public int lengthBytes() {
        return bytes.length;
    }

    /** The text as UTF-8; what is no UTF-8 shows as replacement characters. */
    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RawText text && Arrays.equals(bytes, text.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
