package dev.headrace.pack;

import static dev.headrace.pack.LittleEndian.BYTE;
import static dev.headrace.pack.LittleEndian.INT;
import static dev.headrace.pack.LittleEndian.LONG;
import static dev.headrace.pack.LittleEndian.SHORT;

import dev.headrace.HeadraceException;
import dev.headrace.pack.FrameHeader.Kind;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A view of one frame whose lengths and checksums are right; lives as long as the bytes do. Any thread. */
public final class Frame {
    private final MemorySegment bytes;
    private final FrameHeader header;
    private final Layout layout;
    private final MemorySegment body;
    private final long[] blockStarts;

    private Frame(MemorySegment bytes, FrameHeader header, Layout layout, MemorySegment body, long[] blockStarts) {
        this.bytes = bytes;
        this.header = header;
        this.layout = layout;
        this.body = body;
        this.blockStarts = blockStarts;
    }

    /** Opens the frame that the segment holds, from its first byte to its last; CORRUPT_DATA if it is not whole. */
    public static Frame open(MemorySegment bytes) {
        return open(bytes, null);
    }

    /** Opens a frame of {@link FrameWriter#sealForThisProcess}, which has no checksum of its body. */
    public static Frame ofThisProcess(MemorySegment bytes) {
        return read(bytes, checkedHeader(bytes), null);
    }

    /**
     * Like {@link #open(MemorySegment)}, and takes {@code known} as the layout, undecoded, if the frame has the same.
     */
    public static Frame open(MemorySegment bytes, @Nullable Layout known) {
        MemorySegment head = checkedHeader(bytes);
        MemorySegment body = bytes.asSlice(head.byteSize());
        requireEqual("checksum of the body", FrameFormat.checksum(body), head.get(INT, FrameFormat.BODY_CHECKSUM_AT));
        return read(bytes, head, known);
    }

    private static Frame read(MemorySegment bytes, MemorySegment head, @Nullable Layout known) {
        MemorySegment body = bytes.asSlice(head.byteSize());
        Layout layout = layout(head, known);
        FrameHeader header = new FrameHeader(
                kind(head.get(BYTE, FrameFormat.KIND_AT)),
                head.get(LONG, FrameFormat.WIRE_ID_AT),
                head.get(INT, FrameFormat.SOURCE_RANK_AT),
                head.get(LONG, FrameFormat.INCARNATION_AT),
                head.get(LONG, FrameFormat.SEQUENCE_AT));
        int blocks = head.get(INT, FrameFormat.BLOCKS_AT);
        long[] starts = header.kind() == Kind.DATA ? blockStarts(body, blocks) : new long[0];
        return new Frame(bytes, header, layout, body, starts);
    }

    public FrameHeader header() {
        return header;
    }

    public Layout layout() {
        return layout;
    }

    /** Length of the frame. */
    public long bytes() {
        return bytes.byteSize();
    }

    /** Everything behind the header: the blocks, or the manifest. */
    public MemorySegment body() {
        return body;
    }

    /** Blocks in this frame; none in a manifest. */
    public int blockCount() {
        return blockStarts.length;
    }

    /** Where block i starts, in bytes from the start of the frame. */
    public long blockOffset(int i) {
        return bytes.byteSize() - body.byteSize() + blockStarts[i];
    }

    /** Block i, made anew with each call. */
    public Block block(int i) {
        return Block.read(layout, body.asSlice(blockStarts[i]));
    }

    private static MemorySegment checkedHeader(MemorySegment bytes) {
        require(bytes.byteSize() >= FrameFormat.LAYOUT_AT, "header is cut off, bytes there", bytes.byteSize());
        requireEqual("magic", bytes.get(INT, FrameFormat.MAGIC_AT), FrameFormat.MAGIC);
        requireEqual("version", bytes.get(SHORT, FrameFormat.VERSION_AT), FrameFormat.VERSION);
        long headerBytes = bytes.get(INT, FrameFormat.HEADER_BYTES_AT);
        require(
                headerBytes >= FrameFormat.LAYOUT_AT && headerBytes <= bytes.byteSize(),
                "length of the header",
                headerBytes);
        MemorySegment head = bytes.asSlice(0, headerBytes);
        requireEqual(
                "checksum of the header",
                FrameFormat.headerChecksum(head),
                head.get(INT, FrameFormat.HEADER_CHECKSUM_AT));
        requireEqual("length of the body", bytes.byteSize() - headerBytes, head.get(LONG, FrameFormat.BODY_BYTES_AT));
        requireEqual("flags", head.get(BYTE, FrameFormat.FLAGS_AT), 0);
        requireEqual(
                "unpacked length of the body",
                head.get(LONG, FrameFormat.UNPACKED_BYTES_AT),
                head.get(LONG, FrameFormat.BODY_BYTES_AT));
        return head;
    }

    private static Layout layout(MemorySegment head, @Nullable Layout known) {
        int length = head.get(INT, FrameFormat.LAYOUT_BYTES_AT);
        require(
                length >= 0 && LittleEndian.pad64(FrameFormat.LAYOUT_AT + length) == head.byteSize(),
                "length of the layout",
                length);
        MemorySegment encoded = head.asSlice(FrameFormat.LAYOUT_AT, length);
        boolean same = known != null && encoded.mismatch(MemorySegment.ofArray(known.encodedUnsafe())) == -1;
        Layout layout = same && known != null ? known : Layout.decode(encoded);
        requireEqual("layout fingerprint", layout.fingerprint(), head.get(LONG, FrameFormat.FINGERPRINT_AT));
        return layout;
    }

    private static Kind kind(int code) {
        for (Kind kind : Kind.values()) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw HeadraceException.corruptData("bad frame: unknown kind " + code);
    }

    private static long[] blockStarts(MemorySegment body, int blocks) {
        require(blocks >= 0 && blocks <= body.byteSize() / BlockFormat.HEADER_BYTES, "blocks", blocks);
        long[] starts = new long[blocks];
        long end = 0;
        for (int i = 0; i < blocks; i++) {
            long start = LittleEndian.pad64(end);
            require(body.byteSize() - start >= BlockFormat.HEADER_BYTES, "block starts too late, at", start);
            long length = body.get(LONG, start + BlockFormat.BYTES_AT);
            require(
                    length >= BlockFormat.HEADER_BYTES && length <= body.byteSize() - start,
                    "length of a block",
                    length);
            starts[i] = start;
            end = start + length;
        }
        requireEqual("end of the last block", end, body.byteSize());
        return starts;
    }

    private static void requireEqual(String what, long found, long expected) {
        if (found != expected) {
            throw HeadraceException.corruptData("bad frame: " + what + " is " + found + ", expected " + expected);
        }
    }

    private static void require(boolean condition, String what, long value) {
        if (!condition) {
            throw HeadraceException.corruptData("bad frame: " + what + " " + value);
        }
    }
}
