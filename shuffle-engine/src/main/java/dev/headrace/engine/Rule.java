package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.partition.SortKey;
import java.util.List;

/** Who gets a row: what a shuffle is asked for; immutable, checked when made. */
public sealed interface Rule {

    /** Rows with equal keys share a partition. */
    record Hash(List<String> keys) implements Rule {
        public Hash {
            keys = List.copyOf(keys);
            if (keys.isEmpty()) {
                throw HeadraceException.invalidInput("a hash shuffle needs at least one key column, keys is empty");
            }
        }
    }

    /** The rows of each batch are dealt out to the partitions in turn. */
    record RoundRobin() implements Rule {}

    /**
     * Partitions follow each other in the order of the keys, and rows with equal keys share one.
     *
     * @param boundaries an Arrow IPC stream or file with the key columns: row i is the first key of partition i + 1,
     *     rows ascend in the order of the keys, and there is one row less than partitions, or none, and then all rows
     *     go to partition 0; no bytes at all if the boundaries are yet to be found
     */
    record Range(List<SortKey> keys, byte[] boundaries) implements Rule {
        public Range {
            keys = List.copyOf(keys);
            if (keys.isEmpty()) {
                throw HeadraceException.invalidInput("a range shuffle needs at least one key column, keys is empty");
            }
        }

        public List<String> names() {
            return keys.stream().map(SortKey::column).toList();
        }
    }

    /**
     * Each row goes to a partition drawn by chance, and its partition is in random order.
     *
     * @param seed whoever asks again with it gets the same partitions in the same order
     * @param buckets the least number of buckets of all partitions together: as each is put in order in memory, it
     *     should be small enough for that; one that isn't is read more than once
     */
    record Random(long seed, int buckets) implements Rule {
        /** Keeps a bucket of a terabyte below a gigabyte, and costs a row in 64 an entry of its own. */
        private static final int DEFAULT_BUCKETS = 1_024;

        public Random(long seed) {
            this(seed, DEFAULT_BUCKETS);
        }
    }
}
