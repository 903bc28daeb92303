/**
 * The transport between ranks over UCX: tcp, or RDMA where there is one, and shared slabs for the bodies between ranks
 * of one node. Enters: headers, which are copied, and bodies off the heap, which stay the sender's until they are
 * acknowledged. Leaves: the same bytes in memory that the receiver named.
 *
 * <p>Start with {@link dev.headrace.transport.ucx.UcxTransport}. Below it there is one class for each handle of UCX
 * (context, worker, listener, endpoint), which alone deal with addresses, and then the classes that know nothing of
 * UCX's handles: {@code Greetings} proves the job's key both ways, {@code Connection} seals headers and counts what is
 * in flight, {@code Connections} tells the living from the dead, {@code SharedBodies} reads a peer's memory in steps.
 *
 * <p>One thread owns all of it. What UCX calls back only puts an event into the worker's queue; everything else runs
 * from {@link dev.headrace.transport.ucx.UcxTransport#progress} on the Java stack of the owner, outside of UCX.
 */
@NullMarked
package dev.headrace.transport.ucx;

import org.jspecify.annotations.NullMarked;
