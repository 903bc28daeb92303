/**
 * Programs that use Headrace from Java, as they stand: {@link dev.headrace.examples.ShuffleFiles} shuffles Arrow files,
 * {@link dev.headrace.examples.JoinFiles} joins two tables by two shuffles with the same partitions. Both connect to a
 * Ray that runs already and need {@code ray_dist.jar} of its installed wheel on the class path.
 *
 * <p>What Ray 2.60 asks of any Java program that connects: the node it connects through was started with a {@code java}
 * on its PATH (without one, Ray's own node process ends as soon as the program connects), and the environment holds
 * {@code RAY_AUTH_MODE=token} if Ray was started with tokens, as it is by default on a machine that has one in
 * {@code ~/.ray/auth_token}.
 */
@NullMarked
package dev.headrace.examples;

import org.jspecify.annotations.NullMarked;
