package dev.headrace.bench;

import java.util.Locale;

/** How ranks talk to each other. */
enum Communicator {
    IN_PROCESS,
    UCX,
    UCX_NO_SHARED_SLABS;

    /** Whether each rank is a process of its own. */
    boolean hasProcesses() {
        return this != IN_PROCESS;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
