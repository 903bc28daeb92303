package dev.headrace.pack;

/**
 * The rows of one partition in one block; (batch, piece, block) names the block at its owner, whoever sends it.
 *
 * @param batch dense number of the batch in its shuffle
 * @param piece number of the piece in its batch
 * @param block number of the block among those of its piece and owner
 * @param partition which output the rows belong to
 * @param rows how many rows of the block are this entry's
 */
public record Entry(long batch, int piece, int block, int partition, int rows) {}
