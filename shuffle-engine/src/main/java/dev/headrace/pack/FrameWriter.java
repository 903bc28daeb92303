package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;
import static dev.headrace.pack.LittleEndian.SHORT;

import java.lang.foreign.MemorySegment;

/**
 * Fills one segment with one frame: blocks (or one manifest), then {@link #seal}. The segment is the caller's. One
 * thread.
 */
public final class FrameWriter {
    private final Layout layout;
    private final MemorySegment slab;
    private final long headerBytes;
    private long end;
    private int blocks;

    /** Starts a frame at the beginning of the segment, which must hold at least {@link #frameBytes}. */
    public FrameWriter(Layout layout, MemorySegment slab) {
        this.layout = layout;
        this.slab = slab;
        this.headerBytes = FrameFormat.headerBytes(layout);
        this.end = headerBytes;
        if (slab.byteSize() < headerBytes) {
            throw new IllegalArgumentException(
                    "a frame header takes " + headerBytes + " bytes, the segment has " + slab.byteSize());
        }
    }

    /** How large a segment must be for a frame with one block of this length. */
    public static long frameBytes(Layout layout, long blockBytes) {
        return FrameFormat.headerBytes(layout) + blockBytes;
    }

    /** The longest block, in bytes, that {@link #nextBlock} can still give room to. */
    public long freeBytes() {
        return Math.max(0, slab.byteSize() - LittleEndian.pad64(end));
    }

    public int blockCount() {
        return blocks;
    }

    /**
     * Room for the next block or the manifest: exactly so many bytes, all to be written by the caller before
     * {@link #seal}.
     */
    public MemorySegment nextBlock(long bytes) {
        long start = LittleEndian.pad64(end);
        if (bytes < 0 || bytes > slab.byteSize() - start) {
            throw new IllegalStateException("no room for " + bytes + " bytes, free are " + freeBytes());
        }
        slab.asSlice(end, start - end).fill((byte) 0);
        end = start + bytes;
        blocks++;
        return slab.asSlice(start, bytes);
    }

    /** Writes header and checksums; returns the length of the frame in bytes. */
    public long seal(FrameHeader header) {
        return seal(header, true);
    }

    /**
     * The same without the checksum of the body, for a frame that never leaves this process: only
     * {@link Frame#ofThisProcess} takes it. With sampled batches it took 10 % off the processor time of an in-memory
     * shuffle on two ranks.
     */
    public long sealForThisProcess(FrameHeader header) {
        return seal(header, false);
    }

    private long seal(FrameHeader header, boolean withChecksum) {
        if (header.kind() == FrameHeader.Kind.MANIFEST && blocks != 1) {
            throw new IllegalStateException("a manifest is one body, not " + blocks);
        }
        byte[] encoded = layout.encodedUnsafe();
        MemorySegment head = slab.asSlice(0, headerBytes);
        head.set(INT, FrameFormat.MAGIC_AT, FrameFormat.MAGIC);
        head.set(SHORT, FrameFormat.VERSION_AT, FrameFormat.VERSION);
        head.set(BYTE, FrameFormat.KIND_AT, (byte) header.kind().code());
        head.set(BYTE, FrameFormat.FLAGS_AT, (byte) 0);
        head.set(LONG, FrameFormat.WIRE_ID_AT, header.wireId());
        head.set(LONG, FrameFormat.INCARNATION_AT, header.incarnation());
        head.set(LONG, FrameFormat.SEQUENCE_AT, header.sequence());
        head.set(INT, FrameFormat.SOURCE_RANK_AT, header.sourceRank());
        head.set(INT, FrameFormat.BLOCKS_AT, blocks);
        head.set(LONG, FrameFormat.BODY_BYTES_AT, end - headerBytes);
        head.set(LONG, FrameFormat.UNPACKED_BYTES_AT, end - headerBytes);
        head.set(LONG, FrameFormat.FINGERPRINT_AT, layout.fingerprint());
        head.set(INT, FrameFormat.HEADER_BYTES_AT, Math.toIntExact(headerBytes));
        head.set(INT, FrameFormat.LAYOUT_BYTES_AT, encoded.length);
        head.asSlice(FrameFormat.LAYOUT_AT).fill((byte) 0);
        MemorySegment.copy(encoded, 0, head, BYTE, FrameFormat.LAYOUT_AT, encoded.length);
        MemorySegment body = slab.asSlice(headerBytes, end - headerBytes);
        head.set(INT, FrameFormat.BODY_CHECKSUM_AT, withChecksum ? FrameFormat.checksum(body) : 0);
        head.set(INT, FrameFormat.HEADER_CHECKSUM_AT, FrameFormat.headerChecksum(head));
        return end;
    }
}
