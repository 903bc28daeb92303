package dev.headrace.memory;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives out a {@link SharedRegion} in slabs of one size, and in contiguous runs of them for what is larger;
 * thread-safe. The engine owns it and closes it after every slab and before the region.
 *
 * <p>Uses are served in their order. A use gets memory only while what is set aside for all higher uses stays free, and
 * among those that wait, the higher use comes first, then who came first. A run that waits chooses the window of slots
 * that has the fewest taken: no slot of it that falls free goes to anyone who would be served after the run. A higher
 * use takes from the window too, but only where nothing else is free.
 *
 * <p>A run may need every slot that its use can get. So nobody may wait here while holding slabs that come free through
 * him alone: try first, and before waiting pass on what is held.
 */
public final class SlabPool implements AutoCloseable {

    /** What memory is for, in rising priority: later ones make room, so earlier ones must not starve them. */
    public enum Use {
        /** Frames of rows that come in from the callers. */
        PACK,
        /** Frames that arrive from other ranks. */
        LAND,
        /** Partitions on their way out. */
        OUTPUT,
        /** Rows on their way to disk. */
        SPILL
    }

    /** Slabs that only the use itself and higher ones may take. */
    public record SetAside(int land, int output, int spill) {
        public SetAside {
            if (land < 0 || output < 0 || spill < 0) {
                throw new IllegalArgumentException("set aside: land " + land + ", output " + output + ", spill " + spill
                        + "; none may be negative");
            }
        }

        /** Slabs that the given use must leave free. */
        long above(Use use) {
            return switch (use) {
                case PACK -> (long) land + output + spill;
                case LAND -> (long) output + spill;
                case OUTPUT -> spill;
                case SPILL -> 0;
            };
        }
    }

    private final SharedRegion region;
    private final int slabBytes;
    private final SetAside setAside;
    private final MemoryBudget budget;
    private final MemoryProfile profile = new MemoryProfile();
    private final boolean debug = Boolean.getBoolean(LeakTracker.DEBUG);
    private final List<Runnable> shortageListeners = new CopyOnWriteArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final SlotMap slots;
    private final Slab[] out;
    private final TreeSet<Waiter> waiters = new TreeSet<>(Waiter.ORDER);
    /** The first waiting run that could not be served; its window is closed to all who come after it. */
    private @Nullable Waiter claimant;

    private long nextTicket;
    private boolean closed;

    /**
     * @param region what is given out; the bytes beyond the last whole slab are not used
     * @param budget counts the slabs that are out; no one else may reserve from it
     */
    public SlabPool(SharedRegion region, int slabBytes, SetAside setAside, MemoryBudget budget) {
        long regionBytes = region.segment().byteSize();
        if (slabBytes <= 0) {
            throw new IllegalArgumentException("slab size is not positive: " + slabBytes);
        }
        if (budget.limitBytes() < regionBytes) {
            throw new IllegalArgumentException(
                    "budget of " + budget.limitBytes() + " bytes for a region of " + regionBytes);
        }
        long fewest = setAside.above(Use.PACK) + 1;
        if (regionBytes / slabBytes < fewest) {
            throw HeadraceException.invalidInput(
                    "memory limit of " + regionBytes + " bytes is too small: " + (fewest - 1)
                            + " slabs of " + slabBytes + " bytes are set aside, so at least " + fewest * slabBytes
                            + " bytes are needed");
        }
        this.region = region;
        this.slabBytes = slabBytes;
        this.setAside = setAside;
        this.budget = budget;
        this.slots = new SlotMap(Math.toIntExact(regionBytes / slabBytes));
        this.out = new Slab[slots.slots()];
        LeakTracker.opened(this);
    }

    /**
     * Gives memory at once or not at all: null means that it can be had later.
     *
     * @param bytes up to a slab's size for one slab, more for a contiguous run
     * @throws HeadraceException OUT_OF_MEMORY if this use can never get so much
     */
    public @Nullable Slab tryAcquire(Use use, long bytes) {
        Slab slab;
        lock.lock();
        try {
            slab = takeNow(use, slotsFor(use, bytes), bytes);
        } finally {
            lock.unlock();
        }
        if (slab == null) {
            shortageListeners.forEach(Runnable::run);
        }
        return slab;
    }

    /**
     * Gives memory, waiting for it if need be.
     *
     * @throws HeadraceException OUT_OF_MEMORY if this use can never get so much, DEADLINE if the time is over, INTERNAL
     *     if the thread is interrupted (which it stays)
     */
    public Slab acquire(Use use, long bytes, Duration timeout) {
        Waiter waiter;
        lock.lock();
        try {
            int needed = slotsFor(use, bytes);
            Slab slab = takeNow(use, needed, bytes);
            if (slab != null) {
                return slab;
            }
            waiter = new Waiter(use, needed, bytes, lock.newCondition(), nextTicket++);
            waiters.add(waiter);
            serve();
        } finally {
            lock.unlock();
        }
        boolean told = false;
        try {
            shortageListeners.forEach(Runnable::run);
            told = true;
        } finally {
            if (!told) {
                giveUp(waiter);
            }
        }
        return await(waiter, timeout);
    }

    /**
     * Adds someone who is told, on the asking thread and without locks held, whenever memory could not be had at once.
     * It must not block; it may close slabs.
     */
    public void onShortage(Runnable listener) {
        shortageListeners.add(listener);
    }

    public MemoryProfile profile() {
        return profile;
    }

    public int slabBytes() {
        return slabBytes;
    }

    /** Bytes that are not given out, those set aside included. */
    public long freeBytes() {
        lock.lock();
        try {
            return (long) slots.free() * slabBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that the given use could take now, in single slabs. */
    public long freeBytes(Use use) {
        lock.lock();
        try {
            return Math.max(0, slots.free() - slots.freeIn(closedTo(use)) - setAside.above(use)) * slabBytes;
        } finally {
            lock.unlock();
        }
    }

    /** The largest request that the given use could ever get, in bytes. */
    public long largestBytes(Use use) {
        return (slots.slots() - setAside.above(use)) * slabBytes;
    }

    /** Ends all waits with an error, then throws {@link IllegalStateException} if slabs are still out, naming each. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiters.forEach(waiter -> waiter.served.signal());
        } finally {
            lock.unlock();
        }
        LeakTracker.closed(this);
        List<String> left = slabsOut();
        if (!left.isEmpty()) {
            throw new IllegalStateException(
                    left.size() + " slabs are still out of " + this + ":\n  " + String.join("\n  ", left));
        }
    }

    /** Whether someone waits for a run, which free slabs here and there don't help. */
    public boolean isRunAwaited() {
        lock.lock();
        try {
            return claimant != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "slab pool of " + slots.slots() + " slabs of " + slabBytes + " bytes";
    }

    boolean debug() {
        return debug;
    }

    /** Threads that wait now. */
    int waiting() {
        lock.lock();
        try {
            return waiters.size();
        } finally {
            lock.unlock();
        }
    }

    List<String> slabsOut() {
        lock.lock();
        try {
            List<String> lines = new ArrayList<>();
            for (Slab slab : out) {
                if (slab != null) {
                    lines.add(slab.describe());
                }
            }
            return lines;
        } finally {
            lock.unlock();
        }
    }

    void release(Slab slab) {
        lock.lock();
        try {
            slab.markClosed();
            out[slab.from()] = null;
            slots.give(slab.from(), slab.slots());
            profile.given(slab.use(), slab.capacityBytes());
            serve();
        } finally {
            lock.unlock();
        }
    }

    private int slotsFor(Use use, long bytes) {
        if (closed) {
            throw new IllegalStateException("closed: " + this);
        }
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes asked for are negative: " + bytes);
        }
        if (bytes > largestBytes(use)) {
            long needed = (bytes + slabBytes - 1) / slabBytes + setAside.above(use);
            throw HeadraceException.outOfMemory(bytes + " bytes in one piece for " + use + " can never fit: at most "
                    + largestBytes(use) + " of the memory limit of "
                    + region.segment().byteSize()
                    + " bytes can; a limit of " + needed * slabBytes + " would do");
        }
        return bytes == 0 ? 1 : (int) ((bytes + slabBytes - 1) / slabBytes);
    }

    private @Nullable Slab takeNow(Use use, int needed, long bytes) {
        int from = find(use, needed, claimed(claimant), closedTo(use));
        return from == SlotMap.NOWHERE ? null : open(use, from, needed, bytes);
    }

    /** The window that a newcomer of this use may not touch. */
    private Window closedTo(Use use) {
        return claimant == null || claimant.use.compareTo(use) < 0 ? Window.NONE : claimed(claimant);
    }

    private static Window claimed(@Nullable Waiter waiter) {
        return waiter == null || waiter.window == null ? Window.NONE : waiter.window;
    }

    /** A place that leaves the spared window alone, or else one that at least leaves the closed window alone. */
    private int find(Use use, int needed, Window spared, Window closedWindow) {
        int from = find(use, needed, spared);
        return from == SlotMap.NOWHERE && !spared.equals(closedWindow) ? find(use, needed, closedWindow) : from;
    }

    private int find(Use use, int needed, Window closedWindow) {
        int available = slots.free() - slots.freeIn(closedWindow);
        return available - needed < setAside.above(use) ? SlotMap.NOWHERE : slots.find(needed, closedWindow);
    }

    private Slab open(Use use, int from, int needed, long bytes) {
        long capacityBytes = (long) needed * slabBytes;
        Reservation reservation = budget.tryReserve(capacityBytes);
        if (reservation == null) {
            throw new IllegalStateException("someone else reserves from the budget of " + this);
        }
        MemorySegment memory = region.segment().asSlice((long) from * slabBytes, capacityBytes);
        Slab slab = new Slab(this, use, from, needed, memory, bytes, reservation);
        slots.take(from, needed);
        out[from] = slab;
        profile.taken(use, capacityBytes);
        return slab;
    }

    /** Serves whom it can, in order, and finds out who claims a window. To be called after every change. */
    private void serve() {
        Waiter first = null;
        Iterator<Waiter> inOrder = waiters.iterator();
        while (inOrder.hasNext()) {
            Waiter waiter = inOrder.next();
            Window spared = first != null ? claimed(first) : waiter == claimant ? Window.NONE : claimed(claimant);
            int from = find(waiter.use, waiter.slots, spared, claimed(first));
            if (from != SlotMap.NOWHERE) {
                inOrder.remove();
                claimant = waiter == claimant ? null : claimant;
                waiter.slab = open(waiter.use, from, waiter.slots, waiter.bytes);
                waiter.served.signal();
            } else if (waiter.slots == 1) {
                // whoever comes later needs no less, and must leave no less free
                break;
            } else if (first == null) {
                first = waiter;
                waiter.window = waiter.window == null ? slots.emptiest(waiter.slots) : waiter.window;
            }
        }
        claimant = first;
    }

    private Slab await(Waiter waiter, Duration timeout) {
        long left = Deadline.nanosOf(timeout);
        lock.lock();
        try {
            while (waiter.slab == null && left > 0 && !closed) {
                left = waiter.served.awaitNanos(left);
            }
            if (waiter.slab != null) {
                return waiter.slab;
            }
            leave(waiter);
            if (closed) {
                throw new IllegalStateException("closed while " + waiter.use + " waited: " + this);
            }
            throw HeadraceException.deadline("no " + waiter.bytes + " bytes for " + waiter.use + " within " + timeout
                    + ": " + slots.free() + " of " + slots.slots() + " slabs are free, " + setAside.above(waiter.use)
                    + " set aside for higher uses, " + waiters.size() + " others wait");
        } catch (InterruptedException e) {
            giveUp(waiter);
            Thread.currentThread().interrupt();
            throw HeadraceException.internal("interrupted while waiting for memory for " + waiter.use, e);
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.slab != null) {
                waiter.slab.close();
                return;
            }
            leave(waiter);
        } finally {
            lock.unlock();
        }
    }

    private void leave(Waiter waiter) {
        waiters.remove(waiter);
        serve();
    }
}
