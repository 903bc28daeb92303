package dev.headrace.bench;

import java.util.List;

/**
 * One rank as the benchmark drives it: {@code prepare}, then for each engine {@code start}, {@code connect}, shuffles,
 * {@code stop}; a shuffle is {@code open}, {@code shuffle}, {@code closeShuffle}. Every call blocks; one caller at a
 * time. Ranks meet between the calls: all have opened before one inserts.
 */
interface BenchRank extends AutoCloseable {
    /** Makes the input, and gives its bytes. */
    long prepare();

    /** Starts an engine, and gives its address. */
    byte[] start();

    /** Connects to all ranks whose addresses these are. */
    void connect(List<byte[]> addresses);

    void open(long wireId);

    /**
     * Inserts all batches, then fetches all own partitions.
     *
     * @param step called for every batch and every partition, from any thread
     */
    void shuffle(Runnable step);

    void closeShuffle();

    /** What the engine has counted since it was started. */
    Figures figures();

    /** Ends the engine. */
    void stop();

    /** Where the rank runs. */
    ProcessHandle process();

    /** Listens for a {@link #probe}, and gives the address for it. */
    byte[] listen();

    /**
     * Measures the network alone: sends to the next rank while the one before sends here. Only with UCX.
     *
     * @param addresses what {@link #listen} gave, of all ranks
     * @return nanoseconds that it took until all was received
     */
    long probe(List<byte[]> addresses);

    /** Ends what {@link #listen} began, when all ranks have probed. */
    void hangUp();

    @Override
    void close();
}
