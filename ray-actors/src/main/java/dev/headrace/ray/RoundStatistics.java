package dev.headrace.ray;

/**
 * What a driver has fed to its ranks.
 *
 * @param sentBatches batches handed to a rank
 * @param sentBytes their bytes as Arrow IPC
 * @param refusals how often a full rank asked for a batch again
 * @param peakInFlightBytes most bytes on their way to all ranks at once
 * @param peakGrantedBytes most bytes that the ranks had granted while a batch was sent
 */
public record RoundStatistics(
        long sentBatches, long sentBytes, long refusals, long peakInFlightBytes, long peakGrantedBytes) {}
