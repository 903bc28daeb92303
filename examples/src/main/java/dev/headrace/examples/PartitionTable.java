package dev.headrace.examples;

import dev.headrace.ray.RayPartition;
import dev.headrace.table.Chunk;
import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.IpcReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** A whole partition as an Arrow IPC stream in memory; integer columns of it can be read row by row. */
record PartitionTable(byte[] stream) {

    static PartitionTable fetch(RayPartition partition) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        partition.writeTo(bytes);
        return new PartitionTable(bytes.toByteArray());
    }

    /** Visits every row with the values of the named integer columns. */
    void forEach(List<String> names, Row row) {
        try (Arena memory = Arena.ofConfined();
                IpcReader reader = new IpcReader(offHeap(memory), memory::allocate)) {
            int[] places = names.stream()
                    .mapToInt(name -> reader.schema().names().indexOf(name))
                    .toArray();
            for (Chunk chunk = reader.next(); chunk != null; chunk = reader.next()) {
                long[] values = new long[places.length];
                for (long i = 0; i < chunk.rows(); i++) {
                    for (int column = 0; column < places.length; column++) {
                        values[column] = integer(chunk.columns().get(places[column]), i);
                    }
                    row.visit(values);
                }
            }
        }
    }

    private MemorySegment offHeap(Arena memory) {
        return memory.allocate(Math.max(1, stream.length), Long.BYTES)
                .copyFrom(MemorySegment.ofArray(stream))
                .asSlice(0, stream.length);
    }

    private static long integer(Column column, long row) {
        MemorySegment values = column.buffers().getFirst();
        int width = column.type() instanceof DataType.Fixed fixed ? fixed.widthBytes() : 0;
        return switch (width) {
            case Integer.BYTES -> values.getAtIndex(ValueLayout.JAVA_INT_UNALIGNED, row);
            case Long.BYTES -> values.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, row);
            default -> throw new IllegalArgumentException("a column of " + column.type() + " is no integer column");
        };
    }

    /** One row; the array is used again for the next. */
    @FunctionalInterface
    interface Row {
        void visit(long[] values);
    }
}
