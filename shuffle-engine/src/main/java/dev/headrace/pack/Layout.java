package dev.headrace.pack;

import dev.headrace.table.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/**
 * What the columns of a block are made of: types only, no names, no nullability. Immutable; two layouts are equal if
 * their encoded bytes are.
 */
public final class Layout {
    private final List<DataType> columns;
    private final byte[] encoded;
    private final long fingerprint;
    private final int nodes;
    private final int buffers;

    private Layout(List<DataType> columns, byte[] encoded) {
        this.columns = columns;
        this.encoded = encoded;
        this.fingerprint = fingerprintOf(encoded);
        this.nodes = Nodes.countNodes(columns);
        this.buffers = Nodes.countBuffers(columns);
    }

    /** The layout of these columns, top level only; an empty list is a layout, too. */
    public static Layout of(List<DataType> columns) {
        List<DataType> copy = List.copyOf(columns);
        return new Layout(copy, TypeCodec.encode(copy));
    }

    /** Reads what {@link #encoded} gave; anything else is CORRUPT_DATA. */
    public static Layout decode(MemorySegment encoded) {
        List<DataType> columns = TypeCodec.decode(encoded);
        return new Layout(columns, TypeCodec.encode(columns));
    }

    public List<DataType> columns() {
        return columns;
    }

    /** The first eight bytes of the SHA-256 of {@link #encoded}. */
    public long fingerprint() {
        return fingerprint;
    }

    /** A copy of the bytes that stand for this layout in a frame. */
    public byte[] encoded() {
        return encoded.clone();
    }

    /** The bytes themselves, not to be changed. */
    byte[] encodedUnsafe() {
        return encoded;
    }

    /**
     * The most bytes that a block of one entry takes beyond those of its rows: header, entry, lengths, a first offset
     * and padding for every buffer.
     */
    public long overheadBytes() {
        return BlockFormat.bodyOffset(this, 1) + 16L * buffers;
    }

    /** Columns at all levels. */
    int nodes() {
        return nodes;
    }

    /** Buffers at all levels, those of length 0 too. */
    int buffers() {
        return buffers;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Layout that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encoded);
    }

    @Override
    public String toString() {
        return "Layout" + columns;
    }

    private static long fingerprintOf(byte[] encoded) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(encoded);
            return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
