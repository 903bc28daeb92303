package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.engine.ShuffleSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a shuffle is asked to do; immutable, checked when made.
 *
 * @param kind who gets a row
 * @param keys names of the key columns, none for round-robin
 * @param partitions how many partitions come out, at least 1
 * @param schema an encapsulated Arrow IPC schema message, or empty if the batches bring it
 * @param timeout how long the shuffle may take from its opening to its last partition
 */
public record ShuffleRequest(
        ShuffleSpec.Kind kind, List<String> keys, int partitions, byte[] schema, Duration timeout) {

    /** How long a shuffle may take if nothing else is said. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    public ShuffleRequest {
        // The engine's own checks, here so that a wrong request costs no call to a rank.
        keys = new ShuffleSpec(0, kind, keys, partitions, schema, timeout).keys();
        if (timeout.isNegative() || timeout.isZero()) {
            throw HeadraceException.invalidInput("timeout is " + timeout + ", must be more than 0");
        }
    }

    /** Rows with equal keys come into one partition. */
    public static ShuffleRequest hash(List<String> keys, int partitions) {
        return new ShuffleRequest(ShuffleSpec.Kind.HASH, keys, partitions, new byte[0], DEFAULT_TIMEOUT);
    }

    /** The rows of each batch are dealt out to the partitions in turn. */
    public static ShuffleRequest roundRobin(int partitions) {
        return new ShuffleRequest(ShuffleSpec.Kind.ROUND_ROBIN, List.of(), partitions, new byte[0], DEFAULT_TIMEOUT);
    }

    public ShuffleRequest withSchema(byte[] schemaMessage) {
        return new ShuffleRequest(kind, keys, partitions, schemaMessage, timeout);
    }

    public ShuffleRequest withTimeout(Duration longest) {
        return new ShuffleRequest(kind, keys, partitions, schema, longest);
    }

    String kindName() {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
