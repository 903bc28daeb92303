package dev.headrace.exchange;

import dev.headrace.HeadraceException;

/**
 * (batch, piece, block) as one number that sorts the same way: 34 bits for the batch, 22 for the piece, 7 for the
 * block. 2^22 pieces of 4 MiB are 16 TiB in one batch; a piece of 4 MiB has fewer than 40 blocks, since two neighbours
 * together always hold more than one block's worth.
 */
public final class BlockKey {
    private static final int PIECE_BITS = 22;
    private static final int BLOCK_BITS = 7;

    private BlockKey() {}

    /** The key of a block; INVALID_INPUT if a number has more bits than there are for it. */
    public static long of(long batch, int piece, int block) {
        if (batch < 0 || batch >= 1L << 34 || piece >= 1 << PIECE_BITS || block >= 1 << BLOCK_BITS) {
            throw HeadraceException.invalidInput("batch " + batch + ", piece " + piece + ", block " + block
                    + " can't be numbered: a shuffle takes 2^34 batches of 2^22 pieces");
        }
        return batch << (PIECE_BITS + BLOCK_BITS) | (long) piece << BLOCK_BITS | block;
    }

    static String toString(long key) {
        return "batch " + (key >>> (PIECE_BITS + BLOCK_BITS)) + ", piece "
                + (key >>> BLOCK_BITS & (1 << PIECE_BITS) - 1) + ", block " + (key & (1 << BLOCK_BITS) - 1);
    }
}
