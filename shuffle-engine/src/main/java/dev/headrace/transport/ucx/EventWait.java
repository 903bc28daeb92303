package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Sleeps until a worker has something to do or a time is over. UCX's own wait has no time limit, and jucx's {@code arm}
 * throws when there is work already, which is far too dear for the common case: so this calls UCX and {@code ppoll}
 * directly. Owner thread only.
 */
final class EventWait implements AutoCloseable {
    private static final short POLLIN = 1;

    private final Arena arena = Arena.ofShared();
    private final MethodHandle arm;
    private final MethodHandle ppoll;
    private final MemorySegment pollFd = arena.allocate(8, 8);
    private final MemorySegment timespec = arena.allocate(16, 8);
    private final long worker;

    @SuppressWarnings("restricted") // two functions of C, called with their own types
    EventWait(Path ucpLibrary, long worker, int eventFd) {
        this.worker = worker;
        Linker linker = Linker.nativeLinker();
        this.arm = linker.downcallHandle(
                SymbolLookup.libraryLookup(ucpLibrary, Arena.global()).findOrThrow("ucp_worker_arm"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        this.ppoll = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("ppoll"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.ADDRESS,
                        ValueLayout.ADDRESS));
        pollFd.set(ValueLayout.JAVA_INT, 0, eventFd);
        pollFd.set(ValueLayout.JAVA_SHORT, 4, POLLIN);
    }

    /** Returns at once if the worker has to be progressed first, or was signalled since the last call. */
    void await(long timeoutNanos) {
        try {
            int status = (int) arm.invokeExact(worker);
            if (status != 0) {
                return;
            }
            timespec.set(ValueLayout.JAVA_LONG, 0, TimeUnit.NANOSECONDS.toSeconds(timeoutNanos));
            timespec.set(ValueLayout.JAVA_LONG, 8, timeoutNanos % TimeUnit.SECONDS.toNanos(1));
            // Whatever it answers, also "interrupted by a signal", the caller looks for work next.
            int _ = (int) ppoll.invokeExact(pollFd, 1L, timespec, MemorySegment.NULL);
        } catch (Throwable e) {
            throw HeadraceException.internal("can't wait for UCX", e);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
