/**
 * Where bytes go when memory is short: files that vanish with the process.
 *
 * <p>Enters: memory that the caller owns and may use again as soon as the write returns. Leaves: a
 * {@link dev.headrace.spill.SpillExtent} per write, which its owner reads, any part of it any number of times, and
 * closes once. The engine owns the {@link dev.headrace.spill.SpillStore} and closes it after the extents.
 *
 * <p>Everything here does its input and output on the calling thread and may be called from any; no lock is held
 * meanwhile. Nothing here starts a thread, and an interrupt harms no file.
 */
@NullMarked
package dev.headrace.spill;

import org.jspecify.annotations.NullMarked;
