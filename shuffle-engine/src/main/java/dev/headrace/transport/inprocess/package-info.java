/**
 * The transport between ranks that share one JVM: for tests, examples and single-process use. Enters: headers, which
 * are copied, and bodies, which the receiver's thread copies while the sender keeps them. Leaves: the same bytes in
 * memory that the receiver named. A {@link dev.headrace.transport.inprocess.Hub} joins the transports; each of them is
 * owned by one thread, and only the hub and the inboxes are shared.
 */
@NullMarked
package dev.headrace.transport.inprocess;

import org.jspecify.annotations.NullMarked;
