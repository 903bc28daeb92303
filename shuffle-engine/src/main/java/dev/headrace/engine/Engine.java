package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Exchange;
import dev.headrace.exchange.Inbox;
import dev.headrace.exchange.Owners;
import dev.headrace.exchange.Regrouper;
import dev.headrace.memory.Clock;
import dev.headrace.memory.Deadline;
import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.MemoryProfile;
import dev.headrace.memory.MemoryTier;
import dev.headrace.memory.SharedRegion;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Snapshot;
import dev.headrace.metrics.Statistic;
import dev.headrace.metrics.Statistics;
import dev.headrace.partition.PieceCutter;
import dev.headrace.spill.FileSpillStore;
import dev.headrace.spill.SpillStore;
import dev.headrace.spill.Spiller;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * The shuffle engine of one rank: owns its memory, its spill files, its progress and spill threads and its transport,
 * until {@link #close}. Every method may be called from any thread.
 */
public final class Engine implements AutoCloseable {
    private static final int LANDING_SLABS = 2;
    private static final int SPILL_SLABS = 1;

    /** How long a fetch waits for memory or its turn: a slow disk has to drain a whole rank in that time. */
    private static final Duration OUTPUT_PATIENCE = Duration.ofMinutes(2);

    private final EngineConfig config;
    private final Statistics statistics = new Statistics();
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final Transport transport;
    private final MemoryBudget host;
    private final MemoryBudget onDisk;
    private final SlabPool pool;
    private final SpillStore disk;
    private final Exchange exchange;
    private final Spiller spiller;
    private final Regrouper regrouper;
    private final Assembler assembler;
    private final PartitionRoom partitionRoom =
            new PartitionRoom(Runtime.getRuntime().maxMemory());
    private final Map<Long, Shuffle> shuffles = new ConcurrentHashMap<>();

    /**
     * Starts an engine on its own memory and threads.
     *
     * @param transport makes the transport on the engine's memory; what it returns belongs to the engine
     */
    public static Engine start(EngineConfig config, Function<SharedRegion, Transport> transport) {
        return start(config, transport, budget -> new FileSpillStore(config.spillDirectories(), budget));
    }

    /** As {@link #start(EngineConfig, Function)}, with a spill store of the caller's; it belongs to the engine. */
    static Engine start(
            EngineConfig config, Function<SharedRegion, Transport> transport, Function<MemoryBudget, SpillStore> disk) {
        return new Engine(config, transport, disk);
    }

    private Engine(
            EngineConfig config, Function<SharedRegion, Transport> transport, Function<MemoryBudget, SpillStore> disk) {
        this.config = config;
        boolean started = false;
        try {
            host = new MemoryBudget(MemoryTier.HOST, config.memoryLimitBytes());
            onDisk = new MemoryBudget(MemoryTier.DISK, Long.MAX_VALUE);
            this.disk = own(disk.apply(onDisk));
            SharedRegion region = own(SharedRegion.create(config.memoryLimitBytes()));
            pool = own(new SlabPool(
                    region,
                    EngineConfig.SLAB_BYTES,
                    new SlabPool.SetAside(LANDING_SLABS, Assembler.SLABS, SPILL_SLABS),
                    host));
            this.transport = transport.apply(region);
            ExecutorService spillThread = Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("headrace-spill-" + config.rank()).factory());
            own(spillThread);
            exchange = own(new Exchange(
                    config.rank(), config.ranks(), this.transport, pool, this.disk, spillThread, statistics));
            own(spillThread);
            regrouper = new Regrouper(pool, this.disk, EngineConfig.SLAB_BYTES, PieceCutter.BLOCK_BYTES, statistics);
            spiller = own(new Spiller(
                    spillThread,
                    pool,
                    config.memoryLimitBytes(),
                    (long) (LANDING_SLABS + Assembler.SLABS + SPILL_SLABS) * EngineConfig.SLAB_BYTES,
                    exchange.outbox(),
                    exchange::bytesOnTheirWay,
                    this::fail));
            int permits = Math.max(
                    1, Math.toIntExact(config.memoryLimitBytes() / EngineConfig.SLAB_BYTES / (4L * Assembler.SLABS)));
            assembler = new Assembler(pool, permits, OUTPUT_PATIENCE, statistics);
            started = true;
        } finally {
            if (!started) {
                closeOwned();
            }
        }
    }

    private <T extends AutoCloseable> T own(T resource) {
        owned.push(resource);
        return resource;
    }

    EngineConfig config() {
        return config;
    }

    Statistics statistics() {
        return statistics;
    }

    SlabPool pool() {
        return pool;
    }

    Assembler assembler() {
        return assembler;
    }

    /** Where peers reach this rank; opaque. */
    public byte[] address() {
        return transport.address();
    }

    /**
     * Begins to connect to a peer and returns at once; a new incarnation replaces the old one. Both ranks call it for
     * each other; {@link #awaitConnected} tells how it went.
     *
     * @param address what the peer's {@link #address} gave
     */
    public void connect(int rank, long incarnation, byte[] address) {
        if (rank == config.rank() || rank < 0 || rank >= config.ranks()) {
            throw HeadraceException.invalidInput(
                    "rank " + rank + " is no peer of rank " + config.rank() + " among " + config.ranks());
        }
        exchange.connect(new PeerId(rank, incarnation), address);
    }

    /**
     * Blocks the caller until all other ranks are connected; DEADLINE names those that are not, PEER_LOST one that
     * can't be reached.
     */
    public void awaitConnected(Duration timeout) {
        exchange.peers().awaitAll(Deadline.after(timeout, Clock.system()));
    }

    /**
     * Opens a shuffle here; must have returned on every rank before the first insert on any. The time that the spec
     * gives begins now. The caller closes what it returns when all is delivered; the engine does when it is closed
     * itself.
     */
    public Shuffle open(ShuffleSpec spec) {
        exchange.peers().check();
        partitionRoom.take(spec.partitions());
        boolean opened = false;
        try {
            Shuffle shuffle = openChecked(spec);
            opened = true;
            return shuffle;
        } finally {
            if (!opened) {
                partitionRoom.giveBack(spec.partitions());
            }
        }
    }

    private Shuffle openChecked(ShuffleSpec spec) {
        Deadline deadline = Deadline.after(spec.timeout(), Clock.system());
        Owners owners = spec.owners(config.ranks());
        Inbox inbox = new Inbox(spec.wireId(), config.rank(), owners, deadline, regrouper, statistics);
        OpenFrames frames = new OpenFrames(spec, config, pool, exchange, inbox, statistics, this::flushIdle);
        Shuffle shuffle = new Shuffle(spec, this, inbox, frames, deadline);
        exchange.open(inbox);
        shuffles.put(spec.wireId(), shuffle);
        spiller.register(inbox);
        return shuffle;
    }

    /** The open shuffle of this wire id, or an INVALID_INPUT error. */
    public Shuffle shuffle(long wireId) {
        Shuffle shuffle = shuffles.get(wireId);
        if (shuffle == null) {
            throw HeadraceException.invalidInput("shuffle " + wireId + " is not open on rank " + config.rank());
        }
        return shuffle;
    }

    /**
     * Draws rows of a batch, for {@link BoundaryFinder}; needs no open shuffle.
     *
     * @param keys names of the key columns
     * @param batch the number of the batch, which the choice depends on
     * @param mostRows how many rows at most, see {@link BoundaryFinder#sampleRows}
     * @param ipc an Arrow IPC stream or file; the caller's, only read, and not used after the call
     */
    public Sample sample(List<String> keys, long batch, int mostRows, MemorySegment ipc) {
        try (ChunkMemory memory = new ChunkMemory(bytes -> pool.acquire(SlabPool.Use.PACK, bytes, OUTPUT_PATIENCE))) {
            return new Sampler(keys, batch, ipc, memory).draw(mostRows);
        }
    }

    /** Bytes that inserts may use now. */
    public long roomBytes() {
        long setAside = (long) (LANDING_SLABS + Assembler.SLABS + SPILL_SLABS) * EngineConfig.SLAB_BYTES;
        return Math.max(0, pool.freeBytes() - setAside);
    }

    /** All statistics as one JSON object: names to numbers in bytes, seconds and counts. */
    public String statisticsJson() {
        return snapshot().toJson();
    }

    /** How often and how much memory was taken, by use, since the start. */
    public Map<SlabPool.Use, MemoryProfile.Place> memoryProfile() {
        return pool.profile().places();
    }

    /** All statistics as they are now. */
    public Snapshot snapshot() {
        statistics.max(Statistic.PEAK_HOST_BYTES, host.peakBytes());
        statistics.max(Statistic.PEAK_DISK_BYTES, onDisk.peakBytes());
        Transport.Traffic traffic = transport.traffic();
        return statistics
                .snapshot()
                .with(Statistic.SHARED_SLAB_BYTES, traffic.sharedSlabBytes())
                .with(Statistic.UCX_BYTES, traffic.networkBytes());
    }

    void abort(long wireId, HeadraceException cause) {
        exchange.abort(wireId, cause);
    }

    void forget(Shuffle shuffle, long wireId) {
        if (shuffles.remove(wireId, shuffle)) {
            partitionRoom.giveBack(shuffle.partitions());
            exchange.close(wireId);
            spiller.unregister(shuffle.inbox());
        }
    }

    private void flushIdle() {
        shuffles.values().forEach(Shuffle::flushIdle);
    }

    private void fail(HeadraceException cause) {
        exchange.failAll(cause);
    }

    /**
     * Closes what is open, stops the threads, closes the transport, frees memory and files; blocks until all is freed.
     * Peers see a lost rank.
     */
    @Override
    public void close() {
        shuffles.values().forEach(Shuffle::close);
        closeOwned();
    }

    /** Last made, first closed: threads stop before the memory they use goes. */
    private void closeOwned() {
        RuntimeException failure = null;
        while (!owned.isEmpty()) {
            try {
                owned.pop().close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = HeadraceException.internal("closing the engine failed: " + e, e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
