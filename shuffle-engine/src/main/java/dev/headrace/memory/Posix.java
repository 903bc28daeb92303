package dev.headrace.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The few calls of Linux's C library that the JDK has no door to; stateless, any thread. A failed call becomes a
 * {@link PosixException}. Files are read and written here and not through {@code FileChannel}, because a channel closes
 * itself when its thread is interrupted, and with it would go the spilled data.
 */
@SuppressWarnings("restricted")
final class Posix {
    static final int O_RDWR = 2;
    static final int O_CREAT = 0x40;
    static final int O_EXCL = 0x80;
    static final int O_CLOEXEC = 0x80000;
    /** Octal 020000000 | O_DIRECTORY: a file that never had a name. */
    static final int O_TMPFILE = 0x400000 | directoryFlag();

    static final int MFD_CLOEXEC = 1;
    static final int MADV_HUGEPAGE = 14;
    static final int MADV_POPULATE_WRITE = 23;
    static final int FALLOC_FL_KEEP_SIZE = 1;
    static final int FALLOC_FL_PUNCH_HOLE = 2;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO_FIELD = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPEN = call(
            "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle MEMFD_CREATE =
            call("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FTRUNCATE =
            call("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle UNLINK = call("unlink", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle PREAD =
            call("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PWRITE =
            call("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
            call("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FALLOCATE =
            call("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle STRERROR = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("strerror"),
            FunctionDescriptor.of(
                    ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(256, ValueLayout.JAVA_BYTE)), JAVA_INT));

    private Posix() {}

    static int open(String path, int flags, int mode) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int fd = (int) OPEN.invokeExact(state, arena.allocateFrom(path), flags, mode);
            return (int) checked("open " + path, state, fd);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static int createMemoryFile(String name) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int fd = (int) MEMFD_CREATE.invokeExact(state, arena.allocateFrom(name), MFD_CLOEXEC);
            return (int) checked("memfd_create", state, fd);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static void truncate(int fd, long bytes) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            checked("ftruncate to " + bytes, state, (int) FTRUNCATE.invokeExact(state, fd, bytes));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static void close(int fd) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            checked("close", state, (int) CLOSE.invokeExact(state, fd));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static void unlink(String path) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            checked("unlink " + path, state, (int) UNLINK.invokeExact(state, arena.allocateFrom(path)));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Reads once, up to the segment's length; 0 at the end of the file. */
    static long read(int fd, MemorySegment target, long position) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long read = (long) PREAD.invokeExact(state, fd, target, target.byteSize(), position);
            return checked("pread", state, read);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Writes once, up to the segment's length, and says how much. */
    static long write(int fd, MemorySegment source, long position) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long written = (long) PWRITE.invokeExact(state, fd, source, source.byteSize(), position);
            return checked("pwrite", state, written);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static void advise(MemorySegment memory, int advice) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            int result = (int) MADVISE.invokeExact(state, memory, memory.byteSize(), advice);
            checked("madvise", state, result);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    static void allocate(int fd, int mode, long position, long bytes) throws PosixException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            checked("fallocate", state, (int) FALLOCATE.invokeExact(state, fd, mode, position, bytes));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static int directoryFlag() {
        // the only flag here whose value differs between the two architectures that Java and Ray run on
        return System.getProperty("os.arch", "").equals("aarch64") ? 0x4000 : 0x10000;
    }

    private static MethodHandle call(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = ERRNO;
        System.arraycopy(options, 0, all, 1, options.length);
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
    }

    private static long checked(String call, MemorySegment state, long result) throws PosixException {
        if (result >= 0) {
            return result;
        }
        int errorNumber = (int) ERRNO_FIELD.get(state, 0L);
        throw new PosixException(call, errorNumber, text(errorNumber));
    }

    private static String text(int errorNumber) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(errorNumber);
            return text.getString(0);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static PosixException rethrown(Throwable failure) {
        return switch (failure) {
            case PosixException e -> e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new AssertionError("a method handle of a C function threw", failure);
        };
    }
}
