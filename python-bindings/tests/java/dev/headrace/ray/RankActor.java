package dev.headrace.ray;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands in for the rank actor where a test is about Ray and calls, not about rows: keeps every batch as it came and
 * gives each back as a partition of its own, in pages. Knows one shuffle at a time. Any thread.
 */
public final class RankActor {
    private static final int PAGE_BYTES = 1 << 20;

    private final Properties settings = new Properties();
    private final Map<Long, byte[]> batches = new ConcurrentHashMap<>();
    private volatile int partitions;
    private volatile byte[] schema = new byte[0];
    private volatile boolean finished;

    public RankActor(String settings) throws Exception {
        this.settings.load(new StringReader(settings));
    }

    public byte[] describe() {
        return text("pid=" + ProcessHandle.current().pid() + "\nrank=" + settings.getProperty("rank"));
    }

    public byte[] address() {
        return text("here");
    }

    public byte[] connectPeer(long rank, long incarnation, byte[] address) {
        return text("");
    }

    public byte[] awaitConnected(long timeoutNanos) {
        return text("");
    }

    public byte[] open(
            long wireId,
            String kind,
            String[] keys,
            byte[] order,
            byte[] boundaries,
            long seed,
            long partitions,
            byte[] schema,
            long timeoutNanos) {
        if (keys.length > 0 && keys[0].equals("missing")) {
            return error(0, "no such column: missing");
        }
        this.partitions = (int) partitions;
        this.schema = schema == null ? new byte[0] : schema;
        return text("");
    }

    public byte[] insert(long wireId, long batch, ByteBuffer ipc) {
        byte[] copy = new byte[ipc.remaining()];
        ipc.get(copy);
        batches.put(batch, copy);
        ByteBuffer reply = reply(17).put((byte) 1).putLong(1L << 24).putLong(1);
        return reply.array();
    }

    public byte[] finish(long wireId, long[] batches, long rows) {
        if (batches.length != this.batches.size()) {
            return error(6, "finish names " + Arrays.toString(batches) + ", not " + this.batches.keySet());
        }
        finished = true;
        return reply(8).putLong(rows).array();
    }

    public byte[] completed(long wireId, long from, long timeoutNanos) {
        int[] own = own();
        ByteBuffer reply = reply(4 * (1 + Math.max(0, own.length - (int) from)));
        reply.putInt(own.length - (int) from);
        for (int i = (int) from; i < own.length; i++) {
            reply.putInt(own[i]);
        }
        return reply.array();
    }

    public byte[] fetch(long wireId, long partition, long page) {
        int index = Arrays.binarySearch(own(), (int) partition);
        byte[] stream = new TreeMap<>(batches).values().stream().skip(index).findFirst().orElse(schema);
        int from = (int) Math.min(stream.length, page * PAGE_BYTES);
        int to = Math.min(stream.length, from + PAGE_BYTES);
        ByteBuffer reply = reply(1 + to - from).put((byte) (to == stream.length ? 1 : 0));
        return reply.put(stream, from, to - from).array();
    }

    public byte[] release(long wireId, long partition) {
        return text("");
    }

    public byte[] closeShuffle(long wireId) {
        batches.clear();
        return text("");
    }

    public byte[] abort(long wireId, String category, String message) {
        return text("");
    }

    public byte[] statistics() {
        return text("{\"batches-in\": " + batches.size() + ", \"peak-host\": 7, \"time-pack\": 0.5}");
    }

    public byte[] room() {
        return reply(8).putLong(1L << 24).array();
    }

    public byte[] shutdown() {
        return text("");
    }

    private int[] own() {
        int rank = Integer.parseInt(settings.getProperty("rank"));
        int ranks = Integer.parseInt(settings.getProperty("ranks"));
        return java.util.stream.IntStream.range(0, partitions)
                .filter(partition -> (long) partition * ranks / partitions == rank)
                .toArray();
    }

    private static byte[] error(int category, String message) {
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(7 + bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 1)
                .put((byte) category)
                .put((byte) 1)
                .putInt(-1)
                .put(bytes)
                .array();
    }

    private static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return reply(bytes.length).put(bytes).array();
    }

    private static ByteBuffer reply(int bytes) {
        return ByteBuffer.allocate(1 + bytes).order(ByteOrder.LITTLE_ENDIAN).put((byte) 0);
    }
}
