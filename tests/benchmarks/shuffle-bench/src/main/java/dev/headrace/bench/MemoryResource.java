package dev.headrace.bench;

import java.util.Locale;

/** What the ranks' memory is between runs. */
enum MemoryResource {
    /** Kept, so that it was touched before: how a rank works from its second shuffle on. */
    POOL,
    /** A new engine for every run, so that the system gives all of it anew: a rank's first shuffle. */
    FRESH;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
