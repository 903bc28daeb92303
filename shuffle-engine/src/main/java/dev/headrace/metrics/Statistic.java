package dev.headrace.metrics;

import java.util.Locale;

/**
 * A figure that a rank keeps about itself. Names are those of RapidsMPF where they mean the same. Raw values are bytes,
 * nanoseconds or plain counts.
 */
public enum Statistic {
    BATCHES("shuffle-batches", Unit.COUNT, "batches accepted, each once"),
    ROWS_IN("shuffle-rows-in", Unit.COUNT, "rows of the batches accepted"),
    ROWS_OUT("shuffle-rows-out", Unit.COUNT, "rows of the partitions handed out"),
    PIECES("shuffle-pieces", Unit.COUNT, "pieces that batches were cut into"),
    BLOCKS("shuffle-blocks", Unit.COUNT, "blocks packed"),
    FRAMES_SENT("shuffle-frames-send", Unit.COUNT, "frames sent to other ranks"),
    FRAMES_RECEIVED("shuffle-frames-recv", Unit.COUNT, "frames received from other ranks"),
    DUPLICATES_DROPPED("shuffle-duplicates-dropped", Unit.COUNT, "blocks dropped because they were there already"),
    PEERS_LOST("peers-lost", Unit.COUNT, "connections to other ranks that were lost"),
    INPUT_BYTES("shuffle-input", Unit.BYTES, "Arrow bytes of the batches accepted"),
    PACKED_BYTES("shuffle-packed", Unit.BYTES, "bytes of the blocks packed"),
    LOCAL_BYTES("shuffle-payload-local", Unit.BYTES, "frame bytes that stayed on their rank"),
    SENT_BYTES("shuffle-payload-send", Unit.BYTES, "frame bytes sent to other ranks"),
    RECEIVED_BYTES("shuffle-payload-recv", Unit.BYTES, "frame bytes received from other ranks"),
    SHARED_SLAB_BYTES("transport-shared-slab", Unit.BYTES, "frame bytes sent through shared slabs of a node"),
    UCX_BYTES("transport-ucx", Unit.BYTES, "frame bytes sent over UCX"),
    CREDIT_GRANTED_BYTES("credit-granted", Unit.BYTES, "bytes that this rank let others send"),
    CREDIT_USED_BYTES("credit-used", Unit.BYTES, "bytes of other ranks' credit that this rank used"),
    OUTPUT_BYTES("shuffle-output", Unit.BYTES, "Arrow bytes of the partitions handed out"),
    SPILLED_BYTES("copy-host-to-disk", Unit.BYTES, "bytes spilled"),
    READ_BACK_BYTES("copy-disk-to-host", Unit.BYTES, "spilled bytes read back"),
    PEAK_DEVICE_BYTES("peak-device", Unit.BYTES, "most device memory in use at a time", true),
    PEAK_HOST_BYTES("peak-host", Unit.BYTES, "most host memory in use at a time", true),
    PEAK_DISK_BYTES("peak-disk", Unit.BYTES, "most spilled bytes at a time", true),
    READ_TIME("time-read", Unit.SECONDS, "reading Arrow batches"),
    PARTITION_TIME("time-partition", Unit.SECONDS, "finding the partition of each row"),
    PACK_TIME("time-pack", Unit.SECONDS, "packing rows into frames"),
    EXCHANGE_TIME("event-loop-total", Unit.SECONDS, "progress thread at work on the exchange"),
    SPILL_WRITE_TIME("time-spill-write", Unit.SECONDS, "writing to spill files"),
    SPILL_READ_TIME("time-spill-read", Unit.SECONDS, "reading from spill files"),
    ASSEMBLE_TIME("time-assemble", Unit.SECONDS, "putting partitions together"),
    WAIT_MEMORY_TIME("time-wait-memory", Unit.SECONDS, "threads waiting for memory"),
    WAIT_DATA_TIME("time-wait-data", Unit.SECONDS, "threads waiting for rows of other ranks");

    /** What a value counts in reports. */
    public enum Unit {
        BYTES,
        SECONDS,
        COUNT
    }

    private final String statisticName;
    private final Unit unit;
    private final String meaning;
    private final boolean peak;

    Statistic(String statisticName, Unit unit, String meaning) {
        this(statisticName, unit, meaning, false);
    }

    Statistic(String statisticName, Unit unit, String meaning, boolean peak) {
        this.statisticName = statisticName;
        this.unit = unit;
        this.meaning = meaning;
        this.peak = peak;
    }

    /** The name in reports; it does not change between versions. */
    public String statisticName() {
        return statisticName;
    }

    public Unit unit() {
        return unit;
    }

    public String meaning() {
        return meaning;
    }

    /** Whether it is the largest of its values, over time and over ranks, rather than their sum. */
    public boolean isPeak() {
        return peak;
    }

    /** The table of all statistics in the README. */
    public static String markdownTable() {
        StringBuilder table = new StringBuilder("| statistic | unit | meaning |\n|---|---|---|\n");
        for (Statistic statistic : values()) {
            table.append("| `").append(statistic.statisticName).append("` | ");
            table.append(statistic.unit.name().toLowerCase(Locale.ROOT));
            table.append(statistic.peak ? ", largest | " : " | ");
            table.append(statistic.meaning).append(" |\n");
        }
        return table.toString();
    }
}
