package dev.headrace.metrics;

/**
 * Everything that is counted, in the order of the reports. Names are RapidsMPF's where the meaning is the same
 * ({@code shuffle-payload-send}, {@code copy-host-to-disk}, …), so that reports can be laid side by side.
 */
public enum Statistic {
    BATCHES("batches", Unit.COUNT, "batches inserted"),
    ROWS_IN("rows-in", Unit.COUNT, "rows inserted"),
    BYTES_IN("bytes-in", Unit.BYTES, "Arrow IPC bytes inserted"),
    BYTES_OUT("bytes-out", Unit.BYTES, "Arrow IPC bytes fetched"),
    PIECES("pieces", Unit.COUNT, "pieces that batches were cut into"),
    BLOCKS("blocks", Unit.COUNT, "blocks packed"),
    PACKED("packed", Unit.BYTES, "bytes of sealed frames"),
    LOCAL("shuffle-payload-local", Unit.BYTES, "bytes of frames that stayed on their rank"),
    FRAMES_SENT("frames-sent", Unit.COUNT, "frames sent to other ranks"),
    SENT("shuffle-payload-send", Unit.BYTES, "bytes of frames sent to other ranks"),
    RECEIVED("shuffle-payload-recv", Unit.BYTES, "bytes of frames received from other ranks"),
    CREDIT_GRANTED("credit-granted", Unit.BYTES, "bytes that peers were allowed to send"),
    CREDIT_USED("credit-used", Unit.BYTES, "bytes sent on the peers' credit"),
    DUPLICATES_DROPPED("duplicates-dropped", Unit.COUNT, "blocks that arrived more than once"),
    PEERS_LOST("peers-lost", Unit.COUNT, "connections to peers that ended without being asked to"),
    SPILLED("copy-host-to-disk", Unit.BYTES, "bytes written to spill files"),
    READ_BACK("copy-disk-to-host", Unit.BYTES, "bytes read from spill files"),
    PEAK_HOST("peak-host", Unit.BYTES_PEAK, "most host memory in use at a time"),
    PEAK_DISK("peak-disk", Unit.BYTES_PEAK, "most disk space in use at a time"),
    PARTITION_TIME("time-partition", Unit.SECONDS, "hashing keys and grouping rows"),
    PACK_TIME("time-pack", Unit.SECONDS, "packing rows into frames, waits for memory included"),
    MEMORY_WAIT_TIME("time-wait-memory", Unit.SECONDS, "inserts waiting for memory"),
    SPILL_WRITE_TIME("time-spill-write", Unit.SECONDS, "regrouping by partition and writing to disk"),
    SPILL_READ_TIME("time-spill-read", Unit.SECONDS, "reading from disk"),
    DATA_WAIT_TIME("time-wait-data", Unit.SECONDS, "callers waiting for a partition to complete"),
    ASSEMBLE_TIME("time-assemble", Unit.SECONDS, "putting partitions together, reading from disk included");

    /** What a value is measured in and how values of several ranks go together. */
    public enum Unit {
        COUNT("count"),
        BYTES("bytes"),
        /** Bytes of which the largest value counts. */
        BYTES_PEAK("bytes"),
        /** Kept in nanoseconds, reported in seconds. */
        SECONDS("seconds");

        private final String text;

        Unit(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final String statisticName;
    private final Unit unit;
    private final String meaning;

    Statistic(String statisticName, Unit unit, String meaning) {
        this.statisticName = statisticName;
        this.unit = unit;
        this.meaning = meaning;
    }

    public String statisticName() {
        return statisticName;
    }

    public Unit unit() {
        return unit;
    }

    public String meaning() {
        return meaning;
    }

    /** All statistics as a Markdown table, as it stands in the README. */
    public static String markdownTable() {
        StringBuilder table = new StringBuilder("| statistic | unit | meaning |\n| --- | --- | --- |\n");
        for (Statistic statistic : values()) {
            table.append("| `%s` | %s | %s |\n".formatted(statistic.statisticName, statistic.unit, statistic.meaning));
        }
        return table.toString();
    }
}
