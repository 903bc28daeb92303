package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.partition.HashPartitioner;
import dev.headrace.partition.KeyRows;
import dev.headrace.partition.Keys;
import dev.headrace.partition.Partitioner;
import dev.headrace.partition.RandomPartitioner;
import dev.headrace.partition.RangePartitioner;
import dev.headrace.partition.RoundRobinPartitioner;
import dev.headrace.table.DataType;
import dev.headrace.table.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** The rule of one shuffle, ready for batches of any schema: boundaries are read and checked once. Thread-safe. */
final class Routing {
    private final Rule rule;
    private final int numbers;
    private final Optional<KeyRows> boundaries;

    Routing(ShuffleSpec spec) {
        this.rule = spec.rule();
        this.numbers = spec.owners(1).numbers();
        this.boundaries =
                rule instanceof Rule.Range range ? Optional.of(boundaries(range, spec.partitions())) : Optional.empty();
    }

    private static KeyRows boundaries(Rule.Range range, int partitions) {
        if (range.boundaries().length == 0) {
            throw HeadraceException.invalidInput("a range shuffle was opened without boundaries");
        }
        KeyRows rows = KeyTable.read(range.keys(), MemorySegment.ofArray(range.boundaries()))
                .rows();
        rows.checkBoundaries(partitions);
        return rows;
    }

    /** Which columns of a batch are the keys; INVALID_INPUT if they are not there or can't be keys. */
    int[] keyColumns(Schema schema) {
        return switch (rule) {
            case Rule.Hash(List<String> keys) -> Keys.resolve(keys, schema.names(), schema.types());
            case Rule.Range range -> Keys.resolve(range.names(), schema.names(), schema.types());
            case Rule.RoundRobin ignored -> new int[0];
            case Rule.Random ignored -> new int[0];
        };
    }

    /** A partitioner for one thread at a time. */
    Partitioner partitioner(List<DataType> types, int[] keyColumns) {
        return switch (rule) {
            case Rule.Hash ignored -> new HashPartitioner(types, keyColumns, 0, numbers);
            case Rule.Range ignored -> new RangePartitioner(types, keyColumns, boundaries.orElseThrow());
            case Rule.Random random -> new RandomPartitioner(random.seed(), numbers);
            case Rule.RoundRobin ignored -> new RoundRobinPartitioner(numbers);
        };
    }
}
