/**
 * Between ranks: headers and bodies, in one process or over UCX. Enters: memory that the sender keeps until the
 * receiver has acknowledged it. Leaves: the same bytes in memory that the receiver named. One thread owns a transport
 * and runs all of it.
 */
@NullMarked
package dev.headrace.transport;

import org.jspecify.annotations.NullMarked;
