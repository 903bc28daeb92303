/**
 * Under all: where bytes live and how many there may be.
 *
 * <p>Start with {@link dev.headrace.memory.SlabPool}: an engine makes one {@link dev.headrace.memory.SharedRegion} of
 * exactly its memory limit and cuts it into slabs; whoever needs memory acquires a {@link dev.headrace.memory.Slab} for
 * a stated use, fills it, hands it on, and the last owner closes it. {@link dev.headrace.memory.MemoryBudget} counts
 * the bytes of one tier and gives out {@link dev.headrace.memory.Reservation}s: first the reservation, then the buffer.
 *
 * <p>Enters: a limit in bytes and requests. Leaves: slabs and reservations, each with exactly one owner at a time, who
 * closes it once. The engine owns region, pool and budgets and closes the pool before the region. Any thread may call
 * the pool and the budgets; a slab may be moved between threads but is used by one at a time. Nothing here starts a
 * thread.
 *
 * <p>This package and {@code dev.headrace.transport.ucx} are the only ones that make memory segments out of addresses.
 */
@NullMarked
package dev.headrace.memory;

import org.jspecify.annotations.NullMarked;
