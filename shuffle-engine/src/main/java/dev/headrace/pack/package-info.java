/**
 * Step 3 of the data path: rows to frames in one copying pass, and frames to columns in none.
 *
 * <p>Enters: {@link dev.headrace.table.Column}s of any type and either row numbers or ranges. Leaves: bytes that lie
 * the same on the wire, in memory and in a spill file. A {@link dev.headrace.pack.BlockBuilder} counts first and copies
 * once, when the exact size is known; a {@link dev.headrace.pack.Block} is a view. A {@link dev.headrace.pack.Frame}
 * carries blocks, says which layout they have, and proves by checksums that they are whole.
 *
 * <p>Nothing here owns off-heap memory: source columns and target segments belong to the caller. Builders and writers
 * are for one thread at a time; layouts, blocks and frames can be read from any thread.
 */
@NullMarked
package dev.headrace.pack;

import org.jspecify.annotations.NullMarked;
