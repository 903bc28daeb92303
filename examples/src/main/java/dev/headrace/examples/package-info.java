/**
 * Programs that use Headrace from Java, as they stand: {@link dev.headrace.examples.ShuffleFiles} shuffles Arrow files,
 * {@link dev.headrace.examples.JoinFiles} joins two tables by two shuffles with the same partitions. Both connect to a
 * Ray that runs already and need {@code ray_dist.jar} of its installed wheel on the class path.
 */
@NullMarked
package dev.headrace.examples;

import org.jspecify.annotations.NullMarked;
