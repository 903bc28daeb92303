/**
 * Step 2 of the data path: who gets a row. Enters: key columns of one chunk. Leaves: a partition number per row, the
 * rows in the order of their partitions, and the places where pieces and blocks end. {@code Keys} checks the names,
 * {@code KeyHash} computes the documented hash (docs/hash.md), {@code KeyRows} holds boundaries and {@code Places}
 * finds rows among them (docs/range-and-random.md), a {@code Partitioner} turns either into numbers,
 * {@code RowGrouping} sorts, {@code PieceCutter} measures. Nothing here owns off-heap memory; everything runs on the
 * caller's thread, and the objects with scratch space serve one thread at a time.
 */
@NullMarked
package dev.headrace.partition;

import org.jspecify.annotations.NullMarked;
