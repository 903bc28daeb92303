package dev.headrace.ray;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.engine.BoundaryFinder;
import dev.headrace.engine.Engine;
import dev.headrace.engine.EngineConfig;
import dev.headrace.engine.InsertResult;
import dev.headrace.engine.Page;
import dev.headrace.engine.Sample;
import dev.headrace.engine.Shuffle;
import dev.headrace.engine.ShuffleSpec;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One rank as a Ray actor: owns one {@link Engine} from its construction to {@link #shutdown}. Ray calls it from many
 * threads at once, from Java and from Python.
 *
 * <p>Made for Ray's rules: one constructor that never throws, one method per name, only types that cross languages, no
 * {@code void}, and every failure is part of the answer (see {@code Reply} for its bytes; below is the payload of each
 * method, little-endian). Ray hands an empty byte array over as null.
 */
public final class RankActor {

    private final @Nullable RankSettings settings;
    private final @Nullable Engine engine;
    private final @Nullable HeadraceException startFailure;
    private volatile boolean down;

    /** Starts the engine; a failure is kept and answers every call, since Ray can't carry it out of a constructor. */
    public RankActor(String settings) {
        RankSettings parsed = null;
        Engine started = null;
        HeadraceException failure = null;
        try {
            RankSettings known = RankSettings.parse(settings);
            parsed = known;
            started = Engine.start(known.engineConfig(), region -> RankTransports.create(known, region));
        } catch (Throwable cause) {
            failure = Failures.typed(cause);
        }
        this.settings = parsed;
        this.engine = started;
        this.startFailure = failure;
    }

    /** Facts about the process as properties text: {@code pid}, {@code host}, {@code java_version} and others. */
    public byte[] describe() {
        return Reply.of(() -> {
            Engine running = engine();
            RankSettings known = known();
            return Reply.done(String.join(
                    "\n",
                    "pid=" + ProcessHandle.current().pid(),
                    "host=" + InetAddress.getLocalHost().getHostName(),
                    "java_version=" + Runtime.version(),
                    "device=cpu",
                    "transport=" + known.transport(),
                    "address_bytes=" + running.address().length,
                    "memory_limit_bytes=" + known.memoryLimitBytes(),
                    "slab_bytes=" + EngineConfig.SLAB_BYTES,
                    ""));
        });
    }

    /** Where peers reach this rank; opaque bytes. */
    public byte[] address() {
        return Reply.of(() -> Reply.done(engine().address()));
    }

    /** Begins to connect to a peer; a new incarnation replaces the old one. No payload. */
    public byte[] connectPeer(long rank, long incarnation, byte[] address) {
        return Reply.of(() -> {
            engine().connect(integer("rank", rank), incarnation, orEmpty(address));
            return Reply.done();
        });
    }

    /** Waits until every other rank is connected; the failure names those that are missing. No payload. */
    public byte[] awaitConnected(long timeoutNanos) {
        return Reply.of(() -> {
            engine().awaitConnected(Duration.ofNanos(timeoutNanos));
            return Reply.done();
        });
    }

    /**
     * Opens a shuffle here; {@code RuleWords} says what the words of the rule mean. No payload.
     *
     * @param schema an Arrow IPC schema message, empty if the batches bring it
     */
    public byte[] open(
            long wireId,
            String kind,
            String[] keys,
            byte @Nullable [] order,
            byte @Nullable [] boundaries,
            long seed,
            long partitions,
            byte @Nullable [] schema,
            long timeoutNanos) {
        return Reply.of(() -> {
            engine().open(new ShuffleSpec(
                    wireId,
                    new RuleWords(kind, keys, orEmpty(order), orEmpty(boundaries), seed).rule(),
                    integer("number of partitions", partitions),
                    orEmpty(schema),
                    Duration.ofNanos(timeoutNanos)));
            return Reply.done();
        });
    }

    /**
     * Takes one batch, an Arrow IPC stream or file: accepted u8 (0: rank is full, offer it again), free bytes i64, rows
     * i64. The buffer is a view of Ray's object store that dies with the call.
     */
    public byte[] insert(long wireId, long batch, ByteBuffer ipc) {
        return Reply.of(() -> {
            InsertResult result = shuffle(wireId).insert(batch, MemorySegment.ofBuffer(ipc));
            return Reply.done(
                    1 + 2 * Long.BYTES,
                    reply -> reply.put((byte) (result.accepted() ? 1 : 0))
                            .putLong(result.freeBytes())
                            .putLong(result.rows()));
        });
    }

    /**
     * Draws at most {@code mostRows} rows of a batch that is for no shuffle yet: a sample, as {@link Sample#writeTo}
     * writes it. The buffer is a view of Ray's object store that dies with the call.
     *
     * @param keys names of the key columns, which alone are in the sample
     */
    public byte[] sample(String[] keys, long batch, long mostRows, ByteBuffer ipc) {
        return Reply.of(() -> {
            Sample sample = engine().sample(
                            List.of(keys), batch, integer("rows to draw", mostRows), MemorySegment.ofBuffer(ipc));
            return Reply.done(sample.bytes(), sample::writeTo);
        });
    }

    /**
     * Boundaries from samples of all batches, for drivers that know no order: an Arrow IPC stream.
     *
     * @param order as in {@link #open}
     * @param samples one {@link Sample} behind the other
     */
    public byte[] boundaries(String[] keys, byte[] order, long partitions, byte @Nullable [] samples) {
        return Reply.of(() -> {
            List<Sample> each = new ArrayList<>();
            ByteBuffer source = ByteBuffer.wrap(orEmpty(samples));
            while (source.hasRemaining()) {
                each.add(Sample.readFrom(source));
            }
            RuleWords words = new RuleWords("range", keys, order, new byte[0], 0);
            return Reply.done(BoundaryFinder.find(words.sortKeys(), integer("number of partitions", partitions), each));
        });
    }

    /** Ends this rank's input, which must be exactly the named batches and that many rows: promised rows i64. */
    public byte[] finish(long wireId, long[] batches, long rows) {
        return Reply.of(() -> Reply.done(shuffle(wireId).finish(batches, rows)));
    }

    /**
     * Own partitions in the order in which they became complete, from the {@code from}-th on: count i32, then i32 each.
     * Waits until there is a new one, all are listed, or the time is over.
     */
    public byte[] completed(long wireId, long from, long timeoutNanos) {
        return Reply.of(() -> {
            int[] partitions = shuffle(wireId).completed(integer("position", from), Duration.ofNanos(timeoutNanos));
            return Reply.done((1 + partitions.length) * Integer.BYTES, reply -> {
                reply.putInt(partitions.length);
                reply.asIntBuffer().put(partitions);
            });
        });
    }

    /** The rows of each own partition in ascending order, once all ranks have finished: i64 each. */
    public byte[] rows(long wireId) {
        return Reply.of(() -> {
            long[] rows = shuffle(wireId).rows();
            return Reply.done(
                    rows.length * Long.BYTES, reply -> reply.asLongBuffer().put(rows));
        });
    }

    /** A page of a complete partition: last u8, then bytes of its Arrow IPC stream. */
    public byte[] fetch(long wireId, long partition, long page) {
        return Reply.of(() -> {
            Page found = shuffle(wireId).fetch(integer("partition", partition), integer("page", page));
            return Reply.done(
                    1 + found.length(),
                    reply -> reply.put((byte) (found.last() ? 1 : 0)).put(found.array(), found.from(), found.length()));
        });
    }

    /**
     * As {@link #fetch}, for readers in place: last u8 at byte 1, length i64 at byte 8, and from byte 64 on that many
     * bytes of the stream. What is behind them means nothing.
     */
    public byte[] page(long wireId, long partition, long page) {
        return Reply.of(() -> Reply.done(
                shuffle(wireId).fetch(integer("partition", partition), integer("page", page), Reply.PAGE_HEAD_BYTES)));
    }

    /** The partition was delivered: frees it. No payload. */
    public byte[] release(long wireId, long partition) {
        return Reply.of(() -> {
            shuffle(wireId).release(integer("partition", partition));
            return Reply.done();
        });
    }

    /** Frees all that the shuffle holds here. No payload. */
    public byte[] closeShuffle(long wireId) {
        return Reply.of(() -> {
            shuffle(wireId).close();
            return Reply.done();
        });
    }

    /** Ends the shuffle here and on all peers with an error of the given category. No payload. */
    public byte[] abort(long wireId, String category, String message) {
        return Reply.of(() -> {
            shuffle(wireId)
                    .abort(new HeadraceException(
                            category(category), Action.FAIL_SHUFFLE, HeadraceException.NO_RANK, message));
            return Reply.done();
        });
    }

    /** Statistics of this rank as one JSON object. */
    public byte[] statistics() {
        return Reply.of(() -> Reply.done(engine().statisticsJson()));
    }

    /** Bytes that inserts may use now: i64. */
    public byte[] room() {
        return Reply.of(() -> Reply.done(engine().roomBytes()));
    }

    /** Frees everything; Ray ends an actor's process without running shutdown hooks. Calling it again is fine. */
    public byte[] shutdown() {
        return Reply.of(() -> {
            down = true;
            if (engine != null) {
                engine.close();
            }
            return Reply.done();
        });
    }

    private Engine engine() {
        if (engine == null) {
            throw startFailure == null
                    ? HeadraceException.invalidInput("the rank has no engine")
                    : Failures.seenHere(startFailure);
        }
        if (down) {
            throw HeadraceException.invalidInput(known() + " is shut down");
        }
        return engine;
    }

    private Shuffle shuffle(long wireId) {
        return engine().shuffle(wireId);
    }

    private RankSettings known() {
        if (settings == null) {
            throw HeadraceException.invalidInput("the rank has no settings");
        }
        return settings;
    }

    private static Category category(String name) {
        try {
            return Category.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException cause) {
            // A driver of another version aborts for a reason unknown here: it must still end the shuffle.
            return Category.INTERNAL;
        }
    }

    private static int integer(String name, long value) {
        if (value < Integer.MIN_VALUE || value > Integer.MAX_VALUE) {
            throw HeadraceException.invalidInput(name + " is " + value + ", must be at most " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    private static byte[] orEmpty(byte @Nullable [] bytes) {
        return bytes == null ? new byte[0] : bytes;
    }
}
