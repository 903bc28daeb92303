package dev.headrace.ray;

import java.util.Locale;

/**
 * How much may be on its way to one rank. The rank grants bytes with every answer; batches in flight never hold more
 * than that, but for one: a rank that has nothing in flight takes one batch whatever its size, as it alone can say
 * whether it fits. Not thread-safe; owned by {@link Rounds}.
 */
final class RankWindow {

    private final int batchLimit;
    private long grantedBytes;
    private long inFlightBytes;
    private int inFlightBatches;

    RankWindow(int batchLimit, long grantedBytes) {
        this.batchLimit = batchLimit;
        this.grantedBytes = grantedBytes;
    }

    long roomBytes() {
        return grantedBytes - inFlightBytes;
    }

    int inFlightBatches() {
        return inFlightBatches;
    }

    long inFlightBytes() {
        return inFlightBytes;
    }

    long grantedBytes() {
        return grantedBytes;
    }

    boolean takes(long bytes) {
        return inFlightBatches == 0 || (inFlightBatches < batchLimit && bytes <= roomBytes());
    }

    void sent(long bytes) {
        if (!takes(bytes)) {
            throw broken("takes no batch of " + bytes + " bytes");
        }
        inFlightBytes += bytes;
        inFlightBatches++;
        grantedBytes = Math.max(grantedBytes, inFlightBytes);
    }

    /** The rank has the batch; what is still in flight was granted before and stays so. */
    void accepted(long bytes, long freeBytes) {
        inFlightBytes -= bytes;
        inFlightBatches--;
        granted(freeBytes);
    }

    /** The rank is full: the batch stays in flight, since it is offered to the same rank again. */
    void refused(long freeBytes) {
        granted(freeBytes);
    }

    private void granted(long freeBytes) {
        grantedBytes = Math.max(inFlightBytes, freeBytes);
        if (inFlightBytes < 0 || inFlightBatches < 0) {
            throw broken("was answered more often than asked");
        }
    }

    private IllegalStateException broken(String what) {
        return new IllegalStateException(String.format(
                Locale.ROOT,
                "window %s: %d batches, %d bytes in flight, %d granted",
                what,
                inFlightBatches,
                inFlightBytes,
                grantedBytes));
    }
}
