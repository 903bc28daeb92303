/**
 * The benchmark behind {@code headrace bench}: random tables go in, a whole shuffle runs again and again, and its time
 * is set against a copy of the same bytes in the same run. The tour starts at {@link dev.headrace.bench.BenchCommand}.
 *
 * <p>Enters: the command line. Leaves: a report, and one JSON object if asked for. The command's thread owns
 * everything; each rank has threads of its own, in this process or, with UCX, in a process of its own, as in
 * production.
 */
@NullMarked
package dev.headrace.bench;

import org.jspecify.annotations.NullMarked;
