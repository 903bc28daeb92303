package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Owners;
import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.SharedRegion;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.pack.Frame;
import dev.headrace.partition.SortKey;
import dev.headrace.spill.FileSpillStore;
import dev.headrace.spill.SpillStore;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.inprocess.Hub;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Ranks of one JVM on the in-process transport, and the part of a driver: feeds batches, collects partitions. */
final class LocalRanks implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicLong WIRE_IDS = new AtomicLong();

    private final Hub hub = new Hub(PATIENCE);
    private final List<Engine> engines = new CopyOnWriteArrayList<>();
    private final int ranks;

    LocalRanks(int ranks, long memoryLimitBytes, Path spillDirectory) {
        this(
                ranks,
                memoryLimitBytes,
                spillDirectory,
                (_, transport) -> transport,
                budget -> new FileSpillStore(List.of(spillDirectory), budget));
    }

    LocalRanks(
            int ranks,
            long memoryLimitBytes,
            Path spillDirectory,
            BiFunction<Integer, Transport, Transport> wrap,
            Function<MemoryBudget, SpillStore> disk) {
        this.ranks = ranks;
        for (int rank = 0; rank < ranks; rank++) {
            EngineConfig config = new EngineConfig(rank, ranks, 1, memoryLimitBytes, List.of(spillDirectory));
            PeerId self = new PeerId(rank, 1);
            int number = rank;
            Function<SharedRegion, Transport> transport = _ -> wrap.apply(number, hub.transport(self));
            engines.add(Engine.start(config, transport, disk));
        }
        for (Engine engine : engines) {
            for (Engine peer : engines) {
                if (peer != engine) {
                    engine.connect(peer.config().rank(), 1, peer.address());
                }
            }
        }
        engines.forEach(engine -> engine.awaitConnected(PATIENCE));
    }

    /** Ranks whose messages are late, in disorder, and now and then repeated. */
    static LocalRanks flaky(
            int ranks, long memoryLimitBytes, Path folder, long seed, Function<MemoryBudget, SpillStore> disk) {
        List<LocalRanks> made = new CopyOnWriteArrayList<>();
        LocalRanks cluster = new LocalRanks(
                ranks,
                memoryLimitBytes,
                folder,
                (rank, transport) -> new FlakyTransport(
                        transport, seed, (from, frame) -> made.get(0).again(rank, from, frame)),
                disk);
        made.add(cluster);
        return cluster;
    }

    Engine engine(int rank) {
        return engines.get(rank);
    }

    /** Cuts the line between two ranks. */
    void sever(int one, int other) {
        hub.sever(new PeerId(one, 1), new PeerId(other, 1));
    }

    /** Hands a frame to the inbox of its shuffle as if it had just landed, if there is a slab free and it is open. */
    void again(int rank, PeerId from, byte[] frame) {
        long wireId = Frame.open(MemorySegment.ofArray(frame)).header().wireId();
        Engine engine = engines.get(rank);
        Slab slab = engine.pool().tryAcquire(SlabPool.Use.LAND, frame.length);
        if (slab == null) {
            return;
        }
        MemorySegment.copy(frame, 0, slab.segment(), ValueLayout.JAVA_BYTE, 0, frame.length);
        try {
            engine.shuffle(wireId).inbox().accept(from, slab, frame.length);
        } catch (HeadraceException closed) {
            slab.close();
        }
    }

    static ShuffleSpec hash(List<String> keys, int partitions) {
        return spec(new Rule.Hash(keys), partitions);
    }

    static ShuffleSpec spec(Rule rule, int partitions) {
        return new ShuffleSpec(WIRE_IDS.incrementAndGet(), rule, partitions, new byte[0], PATIENCE);
    }

    static ShuffleSpec withSchema(ShuffleSpec spec, byte[] schema) {
        return new ShuffleSpec(spec.wireId(), spec.rule(), spec.partitions(), schema, spec.timeout());
    }

    /** Runs a whole shuffle with one feeding thread per rank; gives the IPC stream of every partition. */
    Map<Integer, byte[]> shuffle(ShuffleSpec spec, List<byte[]> batches) {
        List<Shuffle> shuffles =
                engines.stream().map(engine -> engine.open(spec)).toList();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            all(threads, rank -> feed(shuffles.get(rank), rank, batches));
            Map<Integer, byte[]> partitions = new TreeMap<>();
            all(threads, rank -> {
                Map<Integer, byte[]> own =
                        collect(shuffles.get(rank), new Owners(spec.partitions(), ranks).count(rank));
                synchronized (partitions) {
                    partitions.putAll(own);
                }
                return null;
            });
            return partitions;
        } finally {
            shuffles.forEach(Shuffle::close);
        }
    }

    /** Boundaries from samples of the batches, as a driver finds them; each rank draws from its own batches. */
    byte[] boundaries(List<SortKey> keys, int partitions, List<byte[]> batches, byte[] schema) {
        List<String> names = keys.stream().map(SortKey::column).toList();
        long allBytes = batches.stream().mapToLong(batch -> batch.length).sum();
        List<Sample> samples = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (int batch = 0; batch < batches.size(); batch++) {
                byte[] ipc = batches.get(batch);
                int rows = BoundaryFinder.sampleRows(partitions, ipc.length, allBytes);
                samples.add(engine(batch % ranks).sample(names, batch, rows, Tables.copy(arena, ipc)));
            }
        }
        if (schema.length > 0) {
            samples.add(new Sample(batches.size(), 0, schema));
        }
        return BoundaryFinder.find(keys, partitions, samples);
    }

    private void all(ExecutorService threads, Function<Integer, Object> work) {
        List<Future<Object>> running = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int number = rank;
            Callable<Object> call = () -> work.apply(number);
            running.add(threads.submit(call));
        }
        HeadraceException failure = null;
        for (Future<Object> one : running) {
            try {
                one.get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof HeadraceException cause)) {
                    throw new AssertionError(e.getCause());
                }
                failure = failure == null ? cause : failure;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Inserts every R-th batch from the rank's number on, again as long as the rank is full, and finishes. */
    private Long feed(Shuffle shuffle, int rank, List<byte[]> batches) {
        List<Long> mine = new ArrayList<>();
        long rows = 0;
        try {
            for (int batch = rank; batch < batches.size(); batch += ranks) {
                rows += insert(shuffle, batch, batches.get(batch));
                mine.add((long) batch);
            }
            return shuffle.finish(mine.stream().mapToLong(Long::longValue).toArray(), rows);
        } catch (HeadraceException e) {
            shuffle.abort(e);
            throw e;
        }
    }

    static long insert(Shuffle shuffle, long batch, byte[] ipc) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment bytes = arena.allocate(Math.max(ipc.length, 1), 64).asSlice(0, ipc.length);
            MemorySegment.copy(ipc, 0, bytes, ValueLayout.JAVA_BYTE, 0, ipc.length);
            while (true) {
                InsertResult result = shuffle.insert(batch, bytes);
                if (result.accepted()) {
                    return result.rows();
                }
            }
        }
    }

    static Map<Integer, byte[]> collect(Shuffle shuffle, int count) {
        Map<Integer, byte[]> partitions = new HashMap<>();
        while (partitions.size() < count) {
            for (int partition : shuffle.completed(partitions.size(), PATIENCE)) {
                partitions.put(partition, fetch(shuffle, partition));
                shuffle.release(partition);
            }
        }
        return partitions;
    }

    static byte[] fetch(Shuffle shuffle, int partition) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Page page;
        int number = 0;
        do {
            page = shuffle.fetch(partition, number++);
            bytes.writeBytes(page.bytes());
        } while (!page.last());
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        engines.forEach(Engine::close);
    }
}
