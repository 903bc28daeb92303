package dev.headrace.pack;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/**
 * The bytes of a frame, little-endian; offsets from its start.
 *
 * <pre>
 *  0        4    6   7   8            16           24           32
 *  +--------+----+---+---+------------+------------+------------+
 *  | magic  |vers|knd|flg| wire id    | incarnation| sequence   |
 *  +--------+----+---+---+------------+------------+------------+
 *  32       36           40           48           56           64
 *  +--------+------------+------------+------------+------------+
 *  | rank   | blocks     | body bytes | unpacked   | layout     |
 *  |        |            |            | body bytes | fingerprint|
 *  +--------+------------+------------+------------+------------+
 *  64           68           72         76         80
 *  +------------+------------+----------+----------+
 *  | header     | layout     | body     | header   |
 *  | bytes      | bytes      | CRC32C   | CRC32C   |
 *  +------------+------------+----------+----------+
 *  80           the encoded layout, zeros up to a multiple of 64 (that is "header bytes")
 *  header bytes the body: blocks, each at a multiple of 64, zeros in between; or a manifest
 * </pre>
 *
 * <p>The header's checksum is taken over all header bytes, layout and zeros too, with its own four as zeros. Flags
 * stand for codec and encryption of the body; none is defined in version 1, and unpacked is body bytes. The same bytes
 * are on the wire, in memory and in the spill file.
 */
final class FrameFormat {
    static final int MAGIC = 0x52_44_52_48; // "HRDR"
    static final short VERSION = 1;

    static final long MAGIC_AT = 0;
    static final long VERSION_AT = 4;
    static final long KIND_AT = 6;
    static final long FLAGS_AT = 7;
    static final long WIRE_ID_AT = 8;
    static final long INCARNATION_AT = 16;
    static final long SEQUENCE_AT = 24;
    static final long SOURCE_RANK_AT = 32;
    static final long BLOCKS_AT = 36;
    static final long BODY_BYTES_AT = 40;
    static final long UNPACKED_BYTES_AT = 48;
    static final long FINGERPRINT_AT = 56;
    static final long HEADER_BYTES_AT = 64;
    static final long LAYOUT_BYTES_AT = 68;
    static final long BODY_CHECKSUM_AT = 72;
    static final long HEADER_CHECKSUM_AT = 76;
    static final long LAYOUT_AT = 80;

    private static final int CHECKSUM_STEP = 1 << 30;

    private FrameFormat() {}

    static long headerBytes(Layout layout) {
        return LittleEndian.pad64(LAYOUT_AT + layout.encodedUnsafe().length);
    }

    /** CRC32C of the header with the four bytes of the checksum itself as zeros. */
    static int headerChecksum(MemorySegment header) {
        CRC32C checksum = new CRC32C();
        update(checksum, header.asSlice(0, HEADER_CHECKSUM_AT));
        for (int i = 0; i < 4; i++) {
            checksum.update(0);
        }
        update(checksum, header.asSlice(LAYOUT_AT));
        return (int) checksum.getValue();
    }

    static int checksum(MemorySegment bytes) {
        CRC32C checksum = new CRC32C();
        update(checksum, bytes);
        return (int) checksum.getValue();
    }

    private static void update(CRC32C checksum, MemorySegment bytes) {
        for (long at = 0; at < bytes.byteSize(); at += CHECKSUM_STEP) {
            long step = Math.min(CHECKSUM_STEP, bytes.byteSize() - at);
            checksum.update(bytes.asSlice(at, step).asByteBuffer());
        }
    }
}
