package dev.headrace.ray;

/**
 * Where a driver's ranks run; any thread. The seam between the driver and Ray, together with {@link RankCalls}: a test
 * hosts its ranks in its own process.
 */
interface RankHost extends AutoCloseable {

    int ranks();

    RankCalls calls(int rank);

    /** Copies the bytes to where ranks can reach them; the array is the caller's again afterwards. */
    StoredBatch put(byte[] ipc);

    /** The batch is no longer needed. */
    void drop(StoredBatch batch);

    /** What keeps ranks from starting here, as far as it can be found out in a few seconds; one line. */
    String diagnose();

    /** Ends the ranks' processes. */
    @Override
    void close();
}
