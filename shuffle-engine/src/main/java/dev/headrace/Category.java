package dev.headrace;

/** What went wrong, in the few kinds that a caller can act on; the same names stand in Python. */
public enum Category {
    /** The caller asked for something that can't be: an unknown column, a bad schema, a wrong order of calls. */
    INVALID_INPUT,
    /** A limit is too small for what one row, one batch or one rank needs. */
    OUT_OF_MEMORY,
    /** No spill directory takes another byte. */
    DISK_FULL,
    /** A rank died, was cut off, or stopped answering. */
    PEER_LOST,
    /** Bytes are not what their checksum, length or layout says. */
    CORRUPT_DATA,
    /** Something did not happen in the time it was given. */
    DEADLINE,
    /** A fault of Headrace itself. */
    INTERNAL
}
