package dev.headrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.partition.HashPartitioner;
import dev.headrace.table.Chunk;
import dev.headrace.table.IpcReader;
import dev.headrace.testing.Streams;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the ranks are given. */
final class WorkloadTest {
    private static final int PARTITIONS = 5;

    private static Workload workload(long rows, int tables, int batchRows, boolean prePartitioned) {
        return new Workload(TableKind.LINEITEM, 0, rows, tables, batchRows, PARTITIONS, prePartitioned);
    }

    @Test
    void shouldCutEveryTableIntoBatches() {
        Workload workload = workload(11, 2, 4, false);

        assertThat(IntStream.range(0, workload.batches()).map(workload::rowsOfBatch))
                .containsExactly(4, 2, 4, 1);
    }

    @Test
    void shouldHaveAsManyRowsAsAskedForWhateverTheTables() {
        for (int tables = 1; tables < 9; tables++) {
            Workload workload = workload(20, tables, 3, false);
            assertThat(IntStream.range(0, workload.batches())
                            .map(workload::rowsOfBatch)
                            .sum())
                    .as(tables + " tables")
                    .isEqualTo(20);
        }
    }

    @Test
    void shouldMakeTheSameInputAgain() {
        Workload workload = workload(1_000, 1, 600, false);
        try (Input one = Input.make(workload, 1);
                Input same = Input.make(workload, 1);
                Input other = Input.make(workload, 2)) {
            assertThat(one.batches().getFirst().mismatch(same.batches().getFirst()))
                    .isEqualTo(-1);
            assertThat(one.batches().getFirst().mismatch(other.batches().getFirst()))
                    .isNotEqualTo(-1);
        }
    }

    @Test
    void shouldPutRowsInTheOrderOfTheirPartitionsBeforeTheClockStarts() {
        try (Input input = Input.make(workload(1_000, 1, 1_000, true), 0);
                IpcReader reader = new IpcReader(input.batches().getFirst(), Streams.memory())) {
            Chunk chunk = Objects.requireNonNull(reader.next());
            int[] partitionOf = new int[1_000];
            new HashPartitioner(reader.schema().types(), new int[] {0}, 0, PARTITIONS)
                    .partition(0, 0, chunk.columns(), 0, 1_000, partitionOf);
            assertThat(partitionOf).isSorted().contains(0, PARTITIONS - 1);
        }
    }
}
