package dev.headrace.memory;

/** The kinds of memory that a rank has, fastest first. */
public enum MemoryTier {
    /** Memory of the rank's GPU; absent on a CPU rank. */
    DEVICE,
    /** Off-heap memory of the host: the engine's shared region, pinned where there is a GPU. */
    HOST,
    /** Spill files. */
    DISK
}
