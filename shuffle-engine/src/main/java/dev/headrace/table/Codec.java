package dev.headrace.table;

import com.github.luben.zstd.Zstd;
import dev.headrace.HeadraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** How the buffers of a record batch are compressed, each on its own. */
enum Codec {
    NONE,
    LZ4_FRAME,
    ZSTD;

    /** The most that so many compressed bytes can stand for: keeps a corrupt length from asking for all memory. */
    long mostBytes(long packedBytes) {
        return switch (this) {
            case NONE -> packedBytes;
            // One more byte of a match length stands for 255 bytes.
            case LZ4_FRAME -> 255 * packedBytes;
            // A block stands for 128 KiB at most and has a header of 3 bytes and a byte to repeat.
            case ZSTD -> (packedBytes / 4) << 17;
        };
    }

    /** Fills all of {@code target}, which is native memory, or throws CORRUPT_DATA. */
    void decompress(MemorySegment source, MemorySegment target) {
        switch (this) {
            case NONE -> target.copyFrom(source);
            case LZ4_FRAME -> new Lz4Frame(source, target).decode();
            case ZSTD -> zstd(source, target);
        }
    }

    private static void zstd(MemorySegment source, MemorySegment target) {
        if (!source.isNative()) {
            try (Arena arena = Arena.ofConfined()) {
                zstd(arena.allocate(source.byteSize()).copyFrom(source), target);
                return;
            }
        }
        long result = Zstd.decompressUnsafe(target.address(), target.byteSize(), source.address(), source.byteSize());
        if (Zstd.isError(result)) {
            throw HeadraceException.corruptData("a zstd buffer of " + source.byteSize() + " bytes for "
                    + target.byteSize() + " is corrupt: " + Zstd.getErrorName(result));
        }
        if (result != target.byteSize()) {
            throw HeadraceException.corruptData(
                    "a zstd buffer holds " + result + " bytes instead of " + target.byteSize());
        }
    }
}
