package dev.headrace.exchange;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the blocks of one inbox lie: frames in memory as they came, and blocks on disk by partition. Owns their units.
 * Guarded by the lock of its inbox.
 */
final class BlockStore implements AutoCloseable {

    /** One frame in memory and the bytes that its slab takes up. A run is a frame larger than a slab. */
    record FrameInMemory(StoredUnit unit, List<StoredBlock.InMemory> blocks, long bytes, boolean run) {}

    private final List<FrameInMemory> frames = new ArrayList<>();
    private final Map<Integer, List<StoredBlock.OnDisk>> onDisk = new HashMap<>();
    private final Set<Integer> released = new HashSet<>();
    private long bytesInMemory;
    private long moves;

    void add(FrameInMemory frame) {
        frames.add(frame);
        bytesInMemory += frame.bytes();
    }

    long bytesInMemory() {
        return bytesInMemory;
    }

    /** Grows whenever blocks were moved, so that what was planned before must be planned anew. */
    long moves() {
        return moves;
    }

    boolean isReleased(int partition) {
        return released.contains(partition);
    }

    /** Adds the entries of a partition that lie in memory. */
    void planMemory(int partition, List<PlannedEntry> entries) {
        for (FrameInMemory frame : frames) {
            for (StoredBlock.InMemory stored : frame.blocks()) {
                int i = stored.find(partition);
                if (i >= 0) {
                    entries.add(PlannedEntry.of(
                            stored.block().entry(i), stored, stored.block().entryStart(i)));
                }
            }
        }
    }

    List<StoredBlock.OnDisk> onDisk(int partition) {
        return List.copyOf(onDisk.getOrDefault(partition, List.of()));
    }

    void release(int partition) {
        if (!released.add(partition)) {
            return;
        }
        frames.forEach(frame -> frame.unit().drop(rowsOf(partition, frame)));
        forgetDoneFrames();
        for (StoredBlock.OnDisk block : onDisk.getOrDefault(partition, List.of())) {
            block.unit().drop(1);
        }
        onDisk.remove(partition);
    }

    private static long rowsOf(int partition, FrameInMemory frame) {
        long rows = 0;
        for (StoredBlock.InMemory stored : frame.blocks()) {
            int i = stored.find(partition);
            rows += i < 0 ? 0 : stored.block().rowsAt(i);
        }
        return rows;
    }

    private void forgetDoneFrames() {
        frames.removeIf(frame -> {
            if (frame.unit().isNeeded()) {
                return false;
            }
            bytesInMemory -= frame.bytes();
            return true;
        });
    }

    /** The oldest frames that nobody reads, up to that many bytes, each leased to the caller. */
    List<FrameInMemory> leaseVictims(long wantedBytes) {
        List<FrameInMemory> victims = new ArrayList<>();
        long taken = 0;
        for (FrameInMemory frame : frames) {
            if (taken >= wantedBytes) {
                break;
            }
            if (!frame.unit().isLeased()) {
                frame.unit().lease();
                victims.add(frame);
                taken += frame.bytes();
            }
        }
        return victims;
    }

    /** The victims' blocks now lie on disk: ends their leases and frees them. Returns the bytes of memory freed. */
    long moved(List<FrameInMemory> victims, Map<Integer, List<StoredBlock.OnDisk>> written) {
        moves++;
        for (Map.Entry<Integer, List<StoredBlock.OnDisk>> blocks : written.entrySet()) {
            if (isReleased(blocks.getKey())) {
                blocks.getValue().forEach(block -> block.unit().drop(1));
            } else {
                onDisk.computeIfAbsent(blocks.getKey(), _ -> new ArrayList<>()).addAll(blocks.getValue());
            }
        }
        Set<FrameInMemory> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.addAll(victims);
        if (frames.removeIf(gone::contains)) {
            bytesInMemory = frames.stream().mapToLong(FrameInMemory::bytes).sum();
        }
        long freed = 0;
        for (FrameInMemory victim : victims) {
            freed += victim.bytes();
            victim.unit().dropAll();
            victim.unit().endLease();
        }
        return freed;
    }

    /** Frees everything that nobody reads; the rest goes with its last lease. */
    @Override
    public void close() {
        frames.forEach(frame -> frame.unit().dropAll());
        frames.clear();
        bytesInMemory = 0;
        onDisk.values().forEach(blocks -> blocks.forEach(block -> block.unit().dropAll()));
        onDisk.clear();
    }
}
