package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes the blocks of one LZ4 frame. A block is a row of sequences: a token, literals, and a match in what was
 * written before, by offset and length; the last sequence has literals only.
 */
final class Lz4Block {
    private static final int CORRUPT = -1;
    private static final int SHORTEST_MATCH = 4;
    private static final int LONG_LENGTH = 15;

    private final MemorySegment source;
    private final MemorySegment target;
    private long from;
    private long end;

    Lz4Block(MemorySegment source, MemorySegment target) {
        this.source = source;
        this.target = target;
    }

    /**
     * Decodes a block.
     *
     * @param start first byte of the block in the source
     * @param blockEnd one behind its last byte, not behind the source's end
     * @param at where to write in the target, which before that holds the blocks before
     * @return where the next block goes, or -1 if the block is corrupt
     */
    long decode(long start, long blockEnd, long at) {
        from = start;
        end = blockEnd;
        long written = at;
        while (from < end) {
            int token = source.get(ValueLayout.JAVA_BYTE, from++) & 0xff;
            long literals = length(token >>> 4);
            if (literals < 0 || literals > end - from || literals > target.byteSize() - written) {
                return CORRUPT;
            }
            MemorySegment.copy(source, from, target, written, literals);
            from += literals;
            written += literals;
            if (from == end) {
                return written;
            }
            if (end - from < 2) {
                return CORRUPT;
            }
            int offset = source.get(Words.SHORT, from) & 0xffff;
            from += 2;
            long match = length(token & LONG_LENGTH) + SHORTEST_MATCH;
            if (match < SHORTEST_MATCH || offset == 0 || offset > written || match > target.byteSize() - written) {
                return CORRUPT;
            }
            repeat(written, offset, match);
            written += match;
        }
        return CORRUPT; // A block of no bytes, or one that ends with a match.
    }

    /** A length that goes on in further bytes if the token has no room for it; -1 if those are missing. */
    private long length(int inToken) {
        long length = inToken;
        if (inToken == LONG_LENGTH) {
            int more;
            do {
                if (from == end) {
                    return CORRUPT - SHORTEST_MATCH;
                }
                more = source.get(ValueLayout.JAVA_BYTE, from++) & 0xff;
                length += more;
            } while (more == 0xff);
        }
        return length;
    }

    /** The match may overlap what it makes: then it repeats the last {@code offset} bytes. */
    private void repeat(long at, int offset, long length) {
        long distance = offset;
        for (long done = 0; done < length; ) {
            // What is written doubles with each copy, and so does the distance that a copy may span.
            long count = Math.min(distance, length - done);
            MemorySegment.copy(target, at + done - distance, target, at + done, count);
            done += count;
            distance += distance <= count ? count : 0;
        }
    }
}
