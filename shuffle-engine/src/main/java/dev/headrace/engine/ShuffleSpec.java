package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.exchange.Owners;
import java.time.Duration;

/**
 * What one shuffle is asked to do, the same on every rank; checked when made.
 *
 * @param wireId names the shuffle between ranks; never used twice
 * @param rule who gets a row
 * @param partitions how many partitions come out, at least 1
 * @param schema an encapsulated Arrow IPC schema message, or empty if the batches bring it
 * @param timeout how long the shuffle may take from {@code open} to its last partition
 */
public record ShuffleSpec(long wireId, Rule rule, int partitions, byte[] schema, Duration timeout) {

    public ShuffleSpec {
        if (partitions < 1) {
            throw HeadraceException.invalidInput("number of partitions is " + partitions + ", must be at least 1");
        }
    }

    /** Who has what: a function of this and the number of ranks alone. */
    Owners owners(int ranks) {
        int buckets = rule instanceof Rule.Random random ? random.buckets() : 1;
        return new Owners(partitions, ranks, Math.ceilDiv(buckets, partitions));
    }
}
