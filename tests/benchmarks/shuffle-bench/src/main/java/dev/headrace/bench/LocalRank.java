package dev.headrace.bench;

import dev.headrace.HeadraceException;
import dev.headrace.engine.Engine;
import dev.headrace.engine.EngineConfig;
import dev.headrace.engine.InsertResult;
import dev.headrace.engine.Page;
import dev.headrace.engine.Rule;
import dev.headrace.engine.Shuffle;
import dev.headrace.engine.ShuffleSpec;
import dev.headrace.exchange.Owners;
import dev.headrace.transport.PeerId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A rank in this process: an engine, its input, and the threads that feed it. */
final class LocalRank implements BenchRank {
    private static final Duration SHUFFLE_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final long INCARNATION = 1;

    /** Room for what a rank was given, what it got, and what waits for the others, without a need to spill. */
    private static final int LIMIT_PER_INPUT = 3;

    private static final long LIMIT_AT_LEAST = 256L << 20;

    private final BenchSettings settings;
    private final int rank;
    private final Transports transports;
    private final RankThreads threads;
    private @Nullable Input input;
    private @Nullable Engine engine;
    private @Nullable Shuffle shuffle;
    private @Nullable UcxProbe probe;

    LocalRank(BenchSettings settings, int rank, Transports transports) {
        this.settings = settings;
        this.rank = rank;
        this.transports = transports;
        this.threads = new RankThreads(rank, settings.threads());
    }

    @Override
    public long prepare() {
        input = Input.make(settings.workload(), rank);
        return input.bytes();
    }

    @Override
    public byte[] start() {
        EngineConfig config =
                new EngineConfig(rank, settings.ranks(), INCARNATION, limitBytes(), settings.spillDirectories());
        engine = Engine.start(config, region -> transports.ofEngine(new PeerId(rank, INCARNATION), region));
        return engine.address();
    }

    private long limitBytes() {
        return settings.memoryLimitBytes() > 0
                ? settings.memoryLimitBytes()
                : Math.max(LIMIT_AT_LEAST, LIMIT_PER_INPUT * input().bytes());
    }

    @Override
    public void connect(List<byte[]> addresses) {
        for (int peer = 0; peer < addresses.size(); peer++) {
            if (peer != rank) {
                engine().connect(peer, INCARNATION, addresses.get(peer));
            }
        }
        engine().awaitConnected(Transports.CONNECT_TIMEOUT);
    }

    @Override
    public void open(long wireId) {
        shuffle = engine().open(new ShuffleSpec(
                wireId,
                new Rule.Hash(List.of(input().key())),
                settings.workload().partitions(),
                new byte[0],
                SHUFFLE_TIMEOUT));
    }

    @Override
    public void shuffle(Runnable step) {
        Shuffle current = Objects.requireNonNull(shuffle);
        try {
            feed(current, step);
            drain(current, step);
        } catch (HeadraceException e) {
            current.abort(e);
            throw e;
        }
    }

    private void feed(Shuffle current, Runnable step) {
        int batches = input().batches().size();
        long first = (long) rank * batches;
        AtomicInteger next = new AtomicInteger();
        threads.all(() -> {
            for (int batch = next.getAndIncrement(); batch < batches; batch = next.getAndIncrement()) {
                InsertResult result;
                do {
                    result = current.insert(first + batch, input().batches().get(batch));
                } while (!result.accepted());
                step.run();
            }
        });
        current.finish(LongStream.range(first, first + batches).toArray(), input().rows());
    }

    private void drain(Shuffle current, Runnable step) {
        Owners owners = new Owners(settings.workload().partitions(), settings.ranks());
        CompletedPartitions completed = new CompletedPartitions(current, owners.count(rank));
        threads.all(() -> {
            for (int partition = completed.next(); partition >= 0; partition = completed.next()) {
                fetch(current, partition);
                if (settings.discardOutput()) {
                    current.release(partition);
                }
                step.run();
            }
        });
        if (!settings.discardOutput()) {
            for (int partition = owners.first(rank); partition < owners.end(rank); partition++) {
                current.release(partition);
            }
        }
    }

    private static void fetch(Shuffle current, int partition) {
        Page page;
        int number = 0;
        do {
            page = current.fetch(partition, number++);
        } while (!page.last());
    }

    /** Hands out the partitions of a rank as they complete, each once; any thread. */
    private static final class CompletedPartitions {
        private final Shuffle shuffle;
        private final int count;
        private int[] known = {};
        private int at;
        private int listed;

        CompletedPartitions(Shuffle shuffle, int count) {
            this.shuffle = shuffle;
            this.count = count;
        }

        /** Waits for the next one; -1 when all are handed out. */
        synchronized int next() {
            while (at == known.length) {
                if (listed == count) {
                    return -1;
                }
                known = shuffle.completed(listed, POLL);
                listed += known.length;
                at = 0;
            }
            return known[at++];
        }
    }

    @Override
    public void closeShuffle() {
        Objects.requireNonNull(shuffle).close();
        shuffle = null;
    }

    @Override
    public Figures figures() {
        return new Figures(engine().snapshot(), engine().memoryProfile());
    }

    @Override
    public void stop() {
        engine().close();
        engine = null;
    }

    @Override
    public ProcessHandle process() {
        return ProcessHandle.current();
    }

    @Override
    public byte[] listen() {
        probe = new UcxProbe(transports.ofNetwork(new PeerId(rank, INCARNATION)), rank, settings.ranks());
        return probe.address();
    }

    @Override
    public long probe(List<byte[]> addresses) {
        return Objects.requireNonNull(probe).measure(addresses);
    }

    @Override
    public void hangUp() {
        Objects.requireNonNull(probe).close();
        probe = null;
    }

    private Engine engine() {
        return Objects.requireNonNull(engine, "the rank was not started");
    }

    private Input input() {
        return Objects.requireNonNull(input, "the rank was not prepared");
    }

    @Override
    public void close() {
        if (probe != null) {
            hangUp();
        }
        if (engine != null) {
            stop();
        }
        threads.close();
        if (input != null) {
            input.close();
            input = null;
        }
    }
}
