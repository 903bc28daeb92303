package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;

/**
 * The buffers of one record batch, each a slice of the body or, where it is compressed or does not lie at a multiple of
 * 8, a copy. One compressed buffer is its length before compression (int64, -1 for "stored as it is"), then the bytes.
 */
final class BatchBody {
    private static final int LENGTH_BYTES = 8;

    private final BatchHeader header;
    private final MemorySegment body;

    BatchBody(BatchHeader header, MemorySegment body) {
        this.header = header;
        this.body = body;
    }

    BatchHeader header() {
        return header;
    }

    /** How much {@link Scratch} all calls of {@link #buffer} take together. */
    long scratchBytes() {
        long sum = 0;
        for (int i = 0; i < header.bufferCount(); i++) {
            MemorySegment stored = stored(i);
            if (mustCopy(stored)) {
                sum = Math.addExact(sum, Words.padded(plainBytes(stored)));
            }
        }
        return sum;
    }

    /** The bytes of all buffers once they are plain, with room for what a concatenation adds. */
    long concatenationBytes() {
        long sum = 0;
        for (int i = 0; i < header.bufferCount(); i++) {
            sum = Math.addExact(sum, Words.padded(plainBytes(stored(i))) + 16);
        }
        for (int i = 0; i < header.nodeCount(); i++) {
            // Also where this part has no bitmap: another part may.
            sum = Math.addExact(sum, Validity.bytes(Math.max(0, header.nodeRows(i))) + 24);
        }
        return sum;
    }

    MemorySegment buffer(int index, Scratch scratch) {
        MemorySegment stored = stored(index);
        if (!mustCopy(stored)) {
            return isPacked(stored) ? stored.asSlice(LENGTH_BYTES) : stored;
        }
        MemorySegment target = scratch.take(plainBytes(stored));
        if (!isPacked(stored)) {
            return target.copyFrom(stored);
        }
        MemorySegment packed = stored.asSlice(LENGTH_BYTES);
        if (stored.get(Words.LONG, 0) < 0) {
            return target.copyFrom(packed);
        }
        if (target.byteSize() > 0) { // Some writers leave nothing at all behind a length of 0.
            header.codec().decompress(packed, target);
        }
        return target;
    }

    private MemorySegment stored(int index) {
        long offset = header.bufferOffset(index);
        long length = header.bufferBytes(index);
        if (offset < 0 || length < 0 || offset > body.byteSize() || length > body.byteSize() - offset) {
            throw HeadraceException.corruptData("buffer " + index + " of an Arrow record batch has bytes " + offset
                    + " to " + (offset + length) + " of a body of " + body.byteSize());
        }
        if (length > 0 && length < LENGTH_BYTES && header.codec() != Codec.NONE) {
            throw HeadraceException.corruptData(
                    "compressed buffer " + index + " of an Arrow record batch has " + length + " bytes");
        }
        return body.asSlice(offset, length);
    }

    private boolean isPacked(MemorySegment stored) {
        return header.codec() != Codec.NONE && stored.byteSize() > 0;
    }

    private boolean mustCopy(MemorySegment stored) {
        boolean compressed = isPacked(stored) && stored.get(Words.LONG, 0) >= 0;
        boolean unaligned = stored.maxByteAlignment() < 8 || stored.address() % 8 != 0;
        return stored.byteSize() > 0 && (compressed || unaligned);
    }

    private long plainBytes(MemorySegment stored) {
        if (!isPacked(stored)) {
            return stored.byteSize();
        }
        long packedBytes = stored.byteSize() - LENGTH_BYTES;
        long plainBytes = stored.get(Words.LONG, 0);
        if (plainBytes < -1 || plainBytes > header.codec().mostBytes(packedBytes)) {
            throw HeadraceException.corruptData(
                    "a compressed Arrow buffer of " + packedBytes + " bytes claims to hold " + plainBytes);
        }
        return plainBytes < 0 ? packedBytes : plainBytes;
    }
}
