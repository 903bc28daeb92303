package dev.headrace.spill;

/** Something that holds memory and can move it to disk; called by the spill thread. */
public interface Spillable {

    /** Bytes of memory that {@link #spill} could free at best. */
    long spillableBytes();

    /**
     * Moves at least that many bytes to disk if it can.
     *
     * @return the bytes of memory freed, 0 if there was nothing to move
     */
    long spill(long wantedBytes);
}
