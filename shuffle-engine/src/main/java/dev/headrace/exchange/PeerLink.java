package dev.headrace.exchange;

import dev.headrace.memory.Slab;
import dev.headrace.transport.PeerId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one rank knows about one incarnation of another: what it has queued for it, what is under way, what the peer
 * wants to send and where that will land. Progress thread only; {@link #close} frees everything that the link holds.
 */
final class PeerLink implements AutoCloseable {
    private final PeerId peer;
    private final long slabBytes;
    private boolean connected;

    private final ArrayDeque<OutFrame> queued = new ArrayDeque<>();
    private final ArrayDeque<OutFrame> queuedRuns = new ArrayDeque<>();
    private final Map<Long, OutFrame> underWay = new HashMap<>();

    private int away;
    private int owed;

    private long wanted;
    private final ArrayDeque<Long> wantedRuns = new ArrayDeque<>();
    private boolean lookingForRun;
    private final ArrayDeque<Slab> landings = new ArrayDeque<>();
    private final ArrayDeque<Slab> landingRuns = new ArrayDeque<>();

    PeerLink(PeerId peer, long slabBytes) {
        this.peer = peer;
        this.slabBytes = slabBytes;
    }

    PeerId peer() {
        return peer;
    }

    boolean isConnected() {
        return connected;
    }

    void markConnected() {
        connected = true;
    }

    // Sending

    void queue(OutFrame frame) {
        queueOf(frame.bytes()).add(frame);
    }

    /** The next queued frame that fits a grant of that many bytes, or null. */
    @Nullable
    OutFrame takeQueued(long grantedBytes) {
        return queueOf(grantedBytes).poll();
    }

    Iterable<OutFrame> queuedFrames() {
        ArrayDeque<OutFrame> all = new ArrayDeque<>(queued);
        all.addAll(queuedRuns);
        return all;
    }

    private ArrayDeque<OutFrame> queueOf(long bytes) {
        return bytes <= slabBytes ? queued : queuedRuns;
    }

    /** Removes one queued frame that lies in memory, the last that would be sent, or null. */
    @Nullable
    OutFrame takeSpillable() {
        for (ArrayDeque<OutFrame> queue : List.of(queuedRuns, queued)) {
            for (Iterator<OutFrame> last = queue.descendingIterator(); last.hasNext(); ) {
                OutFrame frame = last.next();
                if (frame.inMemory()) {
                    last.remove();
                    return frame;
                }
            }
        }
        return null;
    }

    /** A frame was taken from the queue to be moved to disk; it will be queued again. */
    void addAway() {
        away++;
    }

    /** The frame is back; true if the peer has already granted it, so that it is to be sent at once. */
    boolean isBack() {
        away--;
        if (owed > 0) {
            owed--;
            return true;
        }
        return false;
    }

    /** The peer granted a frame that is being moved; false if none is. */
    boolean owe() {
        if (owed < away) {
            owed++;
            return true;
        }
        return false;
    }

    void markUnderWay(long sequence, OutFrame frame) {
        underWay.put(sequence, frame);
    }

    @Nullable
    OutFrame underWay(long sequence) {
        return underWay.get(sequence);
    }

    void finish(long sequence) {
        OutFrame frame = underWay.remove(sequence);
        if (frame != null) {
            frame.close();
        }
    }

    /** Drops what is queued for a shuffle that is over. What is under way ends by itself. */
    void dropQueued(long wireId) {
        for (ArrayDeque<OutFrame> queue : List.of(queued, queuedRuns)) {
            queue.removeIf(frame -> {
                if (frame.wireId() != wireId) {
                    return false;
                }
                frame.close();
                return true;
            });
        }
    }

    // Receiving

    void want(long bytes) {
        if (bytes <= slabBytes) {
            wanted++;
        } else {
            wantedRuns.add(bytes);
        }
    }

    /** Whether the peer waits for a landing of one slab and has fewer than so many unused. */
    boolean wantsSlab(int maxLandings) {
        return wanted > 0 && landings.size() < maxLandings;
    }

    void addLanding(Slab slab) {
        wanted--;
        landings.add(slab);
    }

    /** Bytes of a run that the peer waits for and that nobody looks for yet, or 0; from now on somebody does. */
    long takeWantedRun() {
        if (lookingForRun || !landingRuns.isEmpty() || wantedRuns.isEmpty()) {
            return 0;
        }
        lookingForRun = true;
        return wantedRuns.remove();
    }

    void addLandingRun(Slab run) {
        lookingForRun = false;
        landingRuns.add(run);
    }

    /** The slab granted for a body of that many bytes, or null if none was granted. */
    @Nullable
    Slab takeLanding(long bytes) {
        if (bytes <= slabBytes) {
            return landings.poll();
        }
        Slab run = landingRuns.peek();
        return run != null && run.capacityBytes() >= bytes ? landingRuns.poll() : null;
    }

    @Override
    public void close() {
        landings.forEach(Slab::close);
        landings.clear();
        landingRuns.forEach(Slab::close);
        landingRuns.clear();
        queuedFrames().forEach(OutFrame::close);
        queued.clear();
        queuedRuns.clear();
        underWay.values().forEach(OutFrame::close);
        underWay.clear();
        wanted = 0;
        wantedRuns.clear();
    }
}
