package dev.headrace.engine;

import dev.headrace.HeadraceException;
import java.time.Duration;
import java.util.List;

/**
 * What one shuffle is asked to do, the same on every rank; checked when made.
 *
 * @param wireId names the shuffle between ranks; never used twice
 * @param kind who gets a row
 * @param keys names of the key columns; empty unless {@code kind} needs some
 * @param partitions how many partitions come out, at least 1
 * @param schema an encapsulated Arrow IPC schema message, or empty if the batches bring it
 * @param timeout how long the shuffle may take from {@code open} to its last partition
 */
public record ShuffleSpec(long wireId, Kind kind, List<String> keys, int partitions, byte[] schema, Duration timeout) {

    /** The rule that gives a row its partition. */
    public enum Kind {
        HASH,
        ROUND_ROBIN
    }

    public ShuffleSpec {
        keys = List.copyOf(keys);
        if (partitions < 1) {
            throw HeadraceException.invalidInput("number of partitions is " + partitions + ", must be at least 1");
        }
        if (kind == Kind.HASH && keys.isEmpty()) {
            throw HeadraceException.invalidInput("a hash shuffle needs at least one key column, keys is empty");
        }
        if (kind == Kind.ROUND_ROBIN && !keys.isEmpty()) {
            throw HeadraceException.invalidInput("a round-robin shuffle takes no key columns, keys is " + keys);
        }
    }
}
