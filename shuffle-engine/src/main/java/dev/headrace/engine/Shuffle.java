package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Inbox;
import dev.headrace.memory.Clock;
import dev.headrace.memory.Deadline;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistic;
import dev.headrace.pack.Layout;
import dev.headrace.table.IpcReader;
import dev.headrace.table.Schema;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One shuffle at one rank, owned by its {@link Engine}; every method may be called from any thread.
 *
 * <p>Life: {@code insert}* → {@code finish} (once) → {@code completed} → {@code fetch}* → {@code release} per partition
 * → {@code close}. A failure anywhere ends every call with the same error.
 */
public final class Shuffle implements AutoCloseable {
    /** An insert waits that long for memory before it says that the rank is full. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(200);

    private final ShuffleSpec spec;
    private final Engine engine;
    private final Inbox inbox;
    private final Outputs outputs;
    private final OpenFrames frames;
    private final SchemaBook schemas;
    private final BatchInserter inserter;
    private final Input input;
    private final Deadline deadline;
    private final Map<Integer, PartitionReader> readers = new ConcurrentHashMap<>();
    private @Nullable Schema unified;

    Shuffle(ShuffleSpec spec, Engine engine, Inbox inbox, OpenFrames frames, Deadline deadline) {
        this.spec = spec;
        this.engine = engine;
        this.inbox = inbox;
        this.outputs = new Outputs(inbox, frames.owners(), engine.config().rank());
        this.frames = frames;
        this.schemas = new SchemaBook(spec);
        this.inserter = new BatchInserter(frames, engine.statistics());
        this.input = new Input(spec.wireId());
        this.deadline = deadline;
    }

    int partitions() {
        return spec.partitions();
    }

    Inbox inbox() {
        return inbox;
    }

    /**
     * Takes one batch: partitions it and packs it into frames before it returns, so the memory may go afterwards. Waits
     * only briefly when memory is short; then the caller offers the same batch again and it goes on where it stopped.
     *
     * @param batch number of the batch, unique in the shuffle; inserting one twice counts once
     * @param ipc an Arrow IPC stream or file; the caller's, only read, and not used after the call
     */
    public InsertResult insert(long batch, MemorySegment ipc) {
        inbox.checkFailure();
        if (batch < 0) {
            throw HeadraceException.invalidInput("batch number is " + batch + ", must not be negative");
        }
        BatchProgress progress = input.begin(batch);
        Deadline until = Deadline.after(SHORT_WAIT, Clock.system());
        if (!progress.enter(until)) {
            return busy();
        }
        try {
            progress.checkSame(ipc);
            if (!progress.isDone() && !insert(progress, ipc, until)) {
                return busy();
            }
            return new InsertResult(true, engine.roomBytes(), progress.rows());
        } finally {
            progress.leave();
        }
    }

    private InsertResult busy() {
        inbox.checkFailure();
        return new InsertResult(false, engine.roomBytes(), 0);
    }

    private boolean insert(BatchProgress progress, MemorySegment ipc, Deadline until) {
        try (ChunkMemory memory = new ChunkMemory(this::chunkSlab);
                IpcReader reader = new IpcReader(ipc, memory)) {
            BatchPlan plan = schemas.plan(progress.batch(), reader.schema());
            if (!inserter.insert(reader, plan, progress, until)) {
                return false;
            }
        } catch (MemoryShort e) {
            return false;
        }
        progress.finish();
        input.done();
        engine.statistics().add(Statistic.BATCHES, 1);
        engine.statistics().add(Statistic.INPUT_BYTES, ipc.byteSize());
        engine.statistics().add(Statistic.ROWS_IN, progress.rows());
        return true;
    }

    /**
     * Ends the input of this rank: waits until all named batches are in, checks their rows, and promises every owner
     * what it will get.
     *
     * @return the rows that this rank has promised to all owners together
     */
    public long finish(long[] batches, long rows) {
        input.finish(batches, rows, inbox, deadline);
        frames.flush();
        return Promise.send(spec, engine.config(), frames, schemas.forManifest(), deadline);
    }

    /**
     * Own partitions in the order in which they became complete, from the {@code from}-th on. Waits until there is at
     * least one, or all are listed, or the time is over (then the array is empty).
     */
    public int[] completed(int from, Duration timeout) {
        long start = System.nanoTime();
        try {
            return outputs.completed(from, Deadline.after(timeout, Clock.system()));
        } finally {
            engine.statistics().add(Statistic.WAIT_DATA_TIME, System.nanoTime() - start);
        }
    }

    /** The rows of each own partition in ascending order; an error until every rank has finished. */
    public long[] rows() {
        return outputs.rows();
    }

    /**
     * A byte range of the Arrow IPC stream of a complete partition of this rank. The same page may be fetched again
     * until the partition is released.
     */
    public Page fetch(int partition, int page) {
        return fetch(partition, page, 0);
    }

    /** The same, behind {@code head} bytes of the page's array that are the caller's. */
    public Page fetch(int partition, int page, int head) {
        outputs.checkFetchable(partition);
        Schema schema = unified();
        PartitionReader reader =
                readers.computeIfAbsent(partition, number -> new PartitionReader(rows(number, schema), schema));
        Page bytes = reader.page(page, head);
        engine.statistics().add(Statistic.OUTPUT_BYTES, bytes.length());
        return bytes;
    }

    private PartitionRows rows(int partition, Schema schema) {
        Layout layout = Layout.of(schema.types());
        if (!(spec.rule() instanceof Rule.Random random)) {
            return new OrderedRows(partition, inbox, engine.assembler(), layout);
        }
        return new ShuffledRows(
                outputs.firstBucket(partition),
                outputs.endBucket(partition),
                random.seed(),
                inbox,
                engine.assembler(),
                layout);
    }

    private synchronized Schema unified() {
        if (unified == null) {
            try {
                unified = schemas.unified(inbox.schemas());
            } catch (HeadraceException e) {
                abort(e);
                throw e;
            }
        }
        return unified;
    }

    /** The partition was delivered: frees its memory and disk. Releasing it again does nothing. */
    public void release(int partition) {
        engine.statistics().add(Statistic.ROWS_OUT, outputs.release(partition));
        readers.remove(partition);
    }

    /** Ends the shuffle here and on all peers with the given error. */
    public void abort(HeadraceException cause) {
        engine.abort(spec.wireId(), cause);
    }

    /** Frees all that is left. Late frames for this shuffle are dropped. */
    @Override
    public void close() {
        engine.forget(this, spec.wireId());
        input.close();
        frames.close();
        inbox.close();
        readers.clear();
    }

    /** Lets frames that are not full move on, so that their memory comes back. */
    void flushIdle() {
        frames.flushIdle();
    }

    /** There was no memory to read a compressed batch into. */
    private static final class MemoryShort extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** A slab to read a chunk of a compressed batch into; waits as briefly as an insert does. */
    private Slab chunkSlab(long bytes) {
        long most = engine.pool().largestBytes(SlabPool.Use.PACK) / 2;
        if (bytes > most) {
            throw HeadraceException.outOfMemory(
                    "a record batch takes " + bytes + " bytes to decompress, but memory_limit "
                            + engine.config().memoryLimitBytes() + " leaves " + most
                            + " for that: write smaller record batches");
        }
        Slab taken = Patience.acquireForPacking(engine.pool(), bytes, Deadline.after(SHORT_WAIT, Clock.system()));
        if (taken == null) {
            throw new MemoryShort();
        }
        return taken;
    }
}
