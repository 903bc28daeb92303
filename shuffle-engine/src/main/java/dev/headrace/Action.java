package dev.headrace;

/** What a caller may do about a {@link HeadraceException}. */
public enum Action {
    /** The same call can succeed later. */
    RETRY,
    /** This shuffle is lost; others on the same ranks go on. */
    FAIL_SHUFFLE,
    /** The rank named in the error has to be replaced. */
    REPLACE_RANK
}
