package dev.headrace.transport.ucx;

/**
 * What a {@link UcxTransport} has done since it was made.
 *
 * @param sharedSlabBodies bodies sent by reference, for the peer to read from this rank's memory
 * @param sharedSlabBytes their bytes
 * @param ucxBodies bodies sent through UCX
 * @param ucxBytes their bytes
 * @param strangers connections turned away because they did not prove the job's key
 * @param refusedMessages messages dropped because they belong to no connection, came twice or have no possible form
 * @param quarantined transfers that UCX never completed after their peer was lost: their memory stays in use until the
 *     transport is closed
 */
public record UcxCounts(
        long sharedSlabBodies,
        long sharedSlabBytes,
        long ucxBodies,
        long ucxBytes,
        long strangers,
        long refusedMessages,
        long quarantined) {}
