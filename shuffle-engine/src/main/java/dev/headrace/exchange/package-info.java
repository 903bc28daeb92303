/**
 * Step 4 of the data path: the shuffle protocol. Enters: sealed frames for an owner
 * ({@link dev.headrace.exchange.Exchange#send}), with their slab. Leaves: complete partitions as entries in (batch,
 * piece, block) order ({@link dev.headrace.exchange.Inbox}).
 *
 * <p>How a frame travels: the sender queues it and says how much it <em>wants</em> to send; the receiver reserves a
 * slab from its one landing pool, round-robin over its peers, and <em>grants</em>; the frame lands in that slab, is
 * checked and counted by the receiver's inbox, and <em>acknowledged</em>; only then does the sender let its slab go.
 * With {@code finish} every source sends every owner a manifest of what it contributed; a partition is complete when
 * what arrived is what was promised by all.
 *
 * <p>Threads: {@code Exchange}, {@code PeerLink} and everything they own belong to the progress thread; other threads
 * hand it commands. An {@code Inbox} is guarded by its own lock.
 */
@NullMarked
package dev.headrace.exchange;

import org.jspecify.annotations.NullMarked;
