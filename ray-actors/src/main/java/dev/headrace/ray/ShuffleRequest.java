package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.engine.Rule;
import dev.headrace.engine.ShuffleSpec;
import dev.headrace.partition.SortKey;
import java.time.Duration;
import java.util.List;

/**
 * What a shuffle is asked to do; immutable, checked when made.
 *
 * @param rule who gets a row
 * @param partitions how many partitions come out, at least 1
 * @param schema an encapsulated Arrow IPC schema message, or empty if the batches bring it
 * @param timeout how long the shuffle may take from its opening to its last partition
 */
public record ShuffleRequest(Rule rule, int partitions, byte[] schema, Duration timeout) {

    /** How long a shuffle may take if nothing else is said. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    public ShuffleRequest {
        // The engine's own checks, here so that a wrong request costs no call to a rank.
        partitions = new ShuffleSpec(0, rule, partitions, schema, timeout).partitions();
        if (timeout.isNegative() || timeout.isZero()) {
            throw HeadraceException.invalidInput("timeout is " + timeout + ", must be more than 0");
        }
    }

    /** Rows with equal keys come into one partition. */
    public static ShuffleRequest hash(List<String> keys, int partitions) {
        return of(new Rule.Hash(keys), partitions);
    }

    /** The rows of each batch are dealt out to the partitions in turn. */
    public static ShuffleRequest roundRobin(int partitions) {
        return of(new Rule.RoundRobin(), partitions);
    }

    /** Partitions follow each other in the order of the keys; see {@link Rule.Range} for the boundaries. */
    public static ShuffleRequest range(List<SortKey> keys, int partitions, byte[] boundaries) {
        return of(new Rule.Range(keys, boundaries), partitions);
    }

    /**
     * As {@link #range(List, int, byte[])} with boundaries that cut the rows into partitions of about the same size.
     * All batches stay in Ray's object store until {@code finish}, when samples of them say where to cut.
     */
    public static ShuffleRequest range(List<SortKey> keys, int partitions) {
        return range(keys, partitions, new byte[0]);
    }

    /** Each row goes to a partition drawn by chance, and each partition is in random order. */
    public static ShuffleRequest random(long seed, int partitions) {
        return of(new Rule.Random(seed), partitions);
    }

    public static ShuffleRequest of(Rule rule, int partitions) {
        return new ShuffleRequest(rule, partitions, new byte[0], DEFAULT_TIMEOUT);
    }

    public ShuffleRequest withSchema(byte[] schemaMessage) {
        return new ShuffleRequest(rule, partitions, schemaMessage, timeout);
    }

    public ShuffleRequest withTimeout(Duration longest) {
        return new ShuffleRequest(rule, partitions, schema, longest);
    }

    /** Whether boundaries have to be found before a rank can be asked. */
    boolean lacksBoundaries() {
        return rule instanceof Rule.Range range && range.boundaries().length == 0;
    }

    ShuffleRequest withRule(Rule other) {
        return new ShuffleRequest(other, partitions, schema, timeout);
    }
}
