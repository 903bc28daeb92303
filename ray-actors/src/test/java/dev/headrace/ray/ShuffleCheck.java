package dev.headrace.ray;

import dev.headrace.table.Chunk;
import dev.headrace.table.IpcReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks at the partitions of one shuffle as they come: is every row there once, and are equal keys together? */
final class ShuffleCheck {

    private final boolean keysTogether;
    private final BitSet partitions = new BitSet();
    private final BitSet rows = new BitSet();
    private final Map<Long, Integer> partitionOfKey = new HashMap<>();

    ShuffleCheck(boolean keysTogether) {
        this.keysTogether = keysTogether;
    }

    void partition(int number, byte[] stream) {
        require(!partitions.get(number), "partition " + number + " came twice");
        partitions.set(number);
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment bytes = memory.allocate(Math.max(1, stream.length), Long.BYTES)
                    .copyFrom(MemorySegment.ofArray(stream))
                    .asSlice(0, stream.length);
            IpcReader reader = new IpcReader(bytes, memory::allocate);
            require(
                    reader.schema().names().equals(List.of("k", "v")),
                    "partition " + number + " has columns " + reader.schema().names());
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                chunk(number, chunk);
            }
        }
    }

    void finish(int partitionCount, long rowCount) {
        require(partitions.cardinality() == partitionCount, partitions + " of " + partitionCount + " partitions came");
        require(rows.cardinality() == rowCount, rows.cardinality() + " of " + rowCount + " rows came");
    }

    private void chunk(int number, Chunk chunk) {
        MemorySegment keys = chunk.columns().get(0).buffers().getFirst();
        MemorySegment values = chunk.columns().get(1).buffers().getFirst();
        for (long i = 0; i < chunk.rows(); i++) {
            long key = keys.getAtIndex(ValueLayout.JAVA_LONG, i);
            long value = values.getAtIndex(ValueLayout.JAVA_LONG, i);
            require(key == value % TestBatches.KEYS, "row " + value + " has key " + key);
            require(!rows.get((int) value), "row " + value + " came twice");
            rows.set((int) value);
            Integer before = partitionOfKey.put(key, number);
            require(
                    !keysTogether || before == null || before == number,
                    "key " + key + " is in partitions " + before + " and " + number);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
