package dev.headrace.exchange;

import dev.headrace.memory.Slab;
import dev.headrace.transport.PeerId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** Frames on their way to or from disk, in no queue; owed are those of them that the peer has granted already. */
    private final Set<OutFrame> away = new LinkedHashSet<>();

    private final Set<OutFrame> owed = new HashSet<>();

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

    /** The next queued frame that a grant of that many bytes was asked for, or null. */
    @Nullable
    OutFrame takeQueued(long grantedBytes) {
        for (Iterator<OutFrame> next = queueOf(grantedBytes).iterator(); next.hasNext(); ) {
            OutFrame frame = next.next();
            if (fits(frame, grantedBytes)) {
                next.remove();
                return frame;
            }
        }
        return null;
    }

    /** A landing of one slab takes any frame of at most a slab; a run is as long as the frame that asked for it. */
    private boolean fits(OutFrame frame, long grantedBytes) {
        return grantedBytes <= slabBytes ? frame.bytes() <= slabBytes : frame.bytes() == grantedBytes;
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

    /** The frame was taken from the queue to be moved to disk; it will be queued again. */
    void addAway(OutFrame frame) {
        away.add(frame);
    }

    /** The frame is back; true if the peer has already granted it, so that it is to be sent at once. */
    boolean isBack(OutFrame frame) {
        away.remove(frame);
        return owed.remove(frame);
    }

    /** The peer granted a frame that may be one of those being moved; false if none of them fits. */
    boolean owe(long grantedBytes) {
        for (OutFrame frame : away) {
            if (fits(frame, grantedBytes) && owed.add(frame)) {
                return true;
            }
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

    /** The search for a run has ended without one. */
    void endSearch() {
        lookingForRun = false;
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
