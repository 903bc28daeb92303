package dev.headrace.ray;

import dev.headrace.HeadraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Shares the batches of all shuffles of a driver out to the ranks: each round is what the ranks said they can take.
 * Thread-safe; {@link #claim} blocks, the others never do.
 */
final class Rounds {

    private final List<RankWindow> windows = new ArrayList<>();
    private int lastRank;
    private long sentBatches;
    private long sentBytes;
    private long refusals;
    private long peakInFlightBytes;
    private long peakGrantedBytes;

    /** Starts with the room that each rank has told, by rank number. */
    Rounds(long[] roomBytes) {
        for (long bytes : roomBytes) {
            windows.add(new RankWindow(CallKind.INSERT.inFlightLimit(), bytes));
        }
        lastRank = windows.size() - 1;
    }

    /**
     * Waits for a rank that can take that many bytes and books them there.
     *
     * @param givenUp asked before each wait and after {@link #wake}
     * @return the number of the rank, or -1 if the caller gave up
     * @throws HeadraceException DEADLINE if no rank had room in time
     */
    synchronized int claim(long bytes, BooleanSupplier givenUp, TimeLimit limit) {
        while (!givenUp.getAsBoolean()) {
            int rank = roomiest(bytes);
            if (rank >= 0) {
                book(rank, bytes);
                return rank;
            }
            if (!limit.await(this)) {
                throw HeadraceException.deadline("no rank took a batch of " + bytes + " bytes in " + limit);
            }
        }
        return -1;
    }

    synchronized void accepted(int rank, long bytes, long freeBytes) {
        windows.get(rank).accepted(bytes, freeBytes);
        notifyAll();
    }

    synchronized void refused(int rank, long freeBytes) {
        refusals++;
        windows.get(rank).refused(freeBytes);
        notifyAll();
    }

    /** The batch failed; its bytes are no longer on their way. */
    synchronized void failed(int rank, long bytes) {
        RankWindow window = windows.get(rank);
        window.accepted(bytes, window.grantedBytes());
        notifyAll();
    }

    /** Lets every waiting {@link #claim} look again whether it should give up. */
    synchronized void wake() {
        notifyAll();
    }

    synchronized RoundStatistics statistics() {
        return new RoundStatistics(sentBatches, sentBytes, refusals, peakInFlightBytes, peakGrantedBytes);
    }

    private int roomiest(long bytes) {
        int best = -1;
        for (int i = 1; i <= windows.size(); i++) {
            // Begins after the rank that had the last batch, so that equal ranks take turns.
            int rank = (lastRank + i) % windows.size();
            if (windows.get(rank).takes(bytes) && (best < 0 || before(rank, best))) {
                best = rank;
            }
        }
        return best;
    }

    private boolean before(int rank, int other) {
        RankWindow window = windows.get(rank);
        RankWindow best = windows.get(other);
        return window.inFlightBatches() != best.inFlightBatches()
                ? window.inFlightBatches() < best.inFlightBatches()
                : window.roomBytes() > best.roomBytes();
    }

    private void book(int rank, long bytes) {
        RankWindow window = windows.get(rank);
        window.sent(bytes);
        lastRank = rank;
        sentBatches++;
        sentBytes += bytes;
        long inFlight = 0;
        long granted = 0;
        for (RankWindow each : windows) {
            inFlight += each.inFlightBytes();
            granted += each.grantedBytes();
        }
        if (inFlight > granted) {
            throw new IllegalStateException(inFlight + " bytes are in flight, but only " + granted + " were granted");
        }
        if (inFlight > peakInFlightBytes) {
            peakInFlightBytes = inFlight;
        }
        if (granted > peakGrantedBytes) {
            peakGrantedBytes = granted;
        }
    }
}
