package dev.headrace.memory;

import java.io.IOException;

/** A system call that failed, with its error number; immutable. */
public final class PosixException extends IOException {
    private static final long serialVersionUID = 1L;

    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int EACCES = 13;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int EDQUOT = 122;

    private final int errorNumber;

    PosixException(String call, int errorNumber, String text) {
        super(call + ": " + text + " (errno " + errorNumber + ")");
        this.errorNumber = errorNumber;
    }

    /** The {@code errno} of Linux. */
    public int errorNumber() {
        return errorNumber;
    }
}
