/**
 * The engine of one rank; the tour starts here. A batch enters at {@link dev.headrace.engine.Shuffle#insert}, is read
 * ({@code table}), cut and partitioned ({@code partition}), packed into frames ({@code pack}), and handed to the
 * {@code exchange}, which moves frames between ranks ({@code transport}) and keeps what arrives, in memory or on disk
 * ({@code spill}). A partition leaves at {@link dev.headrace.engine.Shuffle#fetch} as Arrow IPC bytes.
 *
 * <p>Callers' threads read, partition, pack and assemble; one progress thread owns transport and protocol; one spill
 * thread moves what must go to disk. All off-heap memory belongs to the engine's slab pool and moves from owner to
 * owner (open frame, outbox, landing, inbox, output).
 */
@NullMarked
package dev.headrace.engine;

import org.jspecify.annotations.NullMarked;
