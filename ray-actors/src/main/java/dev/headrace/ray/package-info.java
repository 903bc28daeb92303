/**
 * Headrace on Ray. Enters: Arrow IPC streams from a driver program; leaves: partitions as Arrow IPC streams.
 *
 * <p>Two halves that meet in Ray actor calls. On the workers, {@link dev.headrace.ray.RankActor} is a thin facade over
 * one {@link dev.headrace.engine.Engine}: it parses settings, calls the engine, and encodes what comes back, errors
 * included, as a byte array ({@code Reply} knows the bytes). In the driver program,
 * {@link dev.headrace.ray.ShuffleDriver} makes the ranks, connects them, feeds batches in rounds ({@code Rounds}), and
 * hands out partitions as they complete.
 *
 * <p>Threads: Ray's own threads run the actor's methods, many at once. In the driver the caller's threads do all the
 * work; one thread of its own ({@code ReplyPump}) waits for Ray's replies and must never block.
 */
@NullMarked
package dev.headrace.ray;

import org.jspecify.annotations.NullMarked;
