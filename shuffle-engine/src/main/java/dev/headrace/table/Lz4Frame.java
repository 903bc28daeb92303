package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import net.jpountz.xxhash.StreamingXXHash32;
import net.jpountz.xxhash.XXHashFactory;

/**
 * Decodes one LZ4 frame. Written here because lz4-java decodes blocks each on its own, and a block of an Arrow buffer
 * may repeat what is in the blocks before it.
 *
 * <pre>
 *   magic (4) | flags (1) | block size (1) | content size (0 or 8) | dictionary id (0 or 4) | checksum (1)
 *   blocks: length, highest bit: stored as it is (4) | bytes | checksum (0 or 4)
 *   0 (4) | checksum of the content (0 or 4)
 * </pre>
 */
final class Lz4Frame {
    private static final int MAGIC = 0x184D2204;
    private static final int VERSION_MASK = 0xC2;
    private static final int VERSION = 0x40;
    private static final int HAS_BLOCK_CHECKSUMS = 0x10;
    private static final int HAS_CONTENT_SIZE = 0x08;
    private static final int HAS_CONTENT_CHECKSUM = 0x04;
    private static final int HAS_DICTIONARY = 0x01;
    private static final int STORED = 1 << 31;

    private final MemorySegment source;
    private final MemorySegment target;
    private long position;

    Lz4Frame(MemorySegment source, MemorySegment target) {
        this.source = source;
        this.target = target;
    }

    /** Fills all of the target, or throws CORRUPT_DATA. */
    void decode() {
        int flags = header();
        Lz4Block blocks = new Lz4Block(source, target);
        long written = 0;
        for (int word = nextInt(); word != 0; word = nextInt()) {
            long length = word & ~STORED;
            require(length <= source.byteSize() - position, "has a block that is cut off");
            if ((word & STORED) != 0) {
                require(length <= target.byteSize() - written, "holds more");
                MemorySegment.copy(source, position, target, written, length);
                written += length;
            } else {
                written = blocks.decode(position, position + length, written);
                require(written >= 0, "has a block that is no LZ4 data");
            }
            long start = position;
            position += length;
            if ((flags & HAS_BLOCK_CHECKSUMS) != 0) {
                require(nextInt() == checksum(source.asSlice(start, length)), "has a block with a wrong checksum");
            }
        }
        require(written == target.byteSize(), "holds " + written);
        if ((flags & HAS_CONTENT_CHECKSUM) != 0) {
            require(nextInt() == checksum(target), "has a wrong checksum");
        }
    }

    private int header() {
        require(nextInt() == MAGIC, "does not begin as one");
        long start = position;
        int flags = nextByte();
        nextByte(); // The largest block: the target's size is limit enough.
        require((flags & VERSION_MASK) == VERSION, "has the unknown flags " + flags);
        require((flags & HAS_DICTIONARY) == 0, "needs a dictionary");
        if ((flags & HAS_CONTENT_SIZE) != 0) {
            skip(8);
        }
        int checksum = checksum(source.asSlice(start, position - start)) >>> 8 & 0xff;
        require(nextByte() == checksum, "has a header with a wrong checksum");
        return flags;
    }

    private static int checksum(MemorySegment bytes) {
        StreamingXXHash32 hash = XXHashFactory.safeInstance().newStreamingHash32(0);
        byte[] part = new byte[(int) Math.min(bytes.byteSize(), 1 << 16)];
        for (long at = 0; at < bytes.byteSize(); at += part.length) {
            int length = (int) Math.min(part.length, bytes.byteSize() - at);
            MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, part, 0, length);
            hash.update(part, 0, length);
        }
        return hash.getValue();
    }

    private int nextInt() {
        return source.get(Words.INT, skip(4));
    }

    private int nextByte() {
        return source.get(ValueLayout.JAVA_BYTE, skip(1)) & 0xff;
    }

    private long skip(int bytes) {
        require(bytes <= source.byteSize() - position, "is cut off");
        position += bytes;
        return position - bytes;
    }

    private void require(boolean condition, String what) {
        if (!condition) {
            throw HeadraceException.corruptData("an LZ4 frame of " + source.byteSize() + " bytes for "
                    + target.byteSize() + " " + what + ", at byte " + position);
        }
    }
}
