package dev.headrace;

/**
 * The one error type of Headrace: immutable, made on any thread, carrying a category and an action that a machine can
 * act on and a message that names the value, the limit and the rank for a person.
 */
public final class HeadraceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The rank number where the rank is not known or plays no part. */
    public static final int NO_RANK = -1;

    private final Category category;
    private final Action action;
    private final int rank;

    public HeadraceException(Category category, Action action, int rank, String message, Throwable cause) {
        super(message, cause);
        this.category = category;
        this.action = action;
        this.rank = rank;
    }

    public HeadraceException(Category category, Action action, int rank, String message) {
        super(message);
        this.category = category;
        this.action = action;
        this.rank = rank;
    }

    public static HeadraceException invalidInput(String message) {
        return new HeadraceException(Category.INVALID_INPUT, Action.FAIL_SHUFFLE, NO_RANK, message);
    }

    public static HeadraceException outOfMemory(String message) {
        return new HeadraceException(Category.OUT_OF_MEMORY, Action.FAIL_SHUFFLE, NO_RANK, message);
    }

    public static HeadraceException diskFull(String message) {
        return new HeadraceException(Category.DISK_FULL, Action.FAIL_SHUFFLE, NO_RANK, message);
    }

    /** The peer of the given rank number is gone; shuffles that need it can't go on. */
    public static HeadraceException peerLost(int rank, String message) {
        return new HeadraceException(Category.PEER_LOST, Action.REPLACE_RANK, rank, message);
    }

    public static HeadraceException corruptData(String message) {
        return new HeadraceException(Category.CORRUPT_DATA, Action.FAIL_SHUFFLE, NO_RANK, message);
    }

    public static HeadraceException deadline(String message) {
        return new HeadraceException(Category.DEADLINE, Action.FAIL_SHUFFLE, NO_RANK, message);
    }

    public static HeadraceException internal(String message, Throwable cause) {
        return new HeadraceException(Category.INTERNAL, Action.FAIL_SHUFFLE, NO_RANK, message, cause);
    }

    public Category category() {
        return category;
    }

    public Action action() {
        return action;
    }

    /** The rank that the error is about, or {@link #NO_RANK}. */
    public int rank() {
        return rank;
    }
}
