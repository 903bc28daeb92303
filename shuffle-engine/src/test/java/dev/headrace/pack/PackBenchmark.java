package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * How fast rows become blocks, beside a plain copy of as many bytes in the same run: a program to run by hand. One
 * piece of 4 MiB, rows in the order of 200 partitions, blocks of 240 KiB.
 */
final class PackBenchmark {
    private static final int PARTITIONS = 200;
    private static final long BLOCK_BYTES = 240 << 10;
    private static final int ROUNDS = 400;

    private PackBenchmark() {}

    public static void main(String[] args) {
        DataType int64 = new DataType.Fixed(8, new Meaning.SignedInt());
        DataType text = new DataType.Binary(false, true);
        measure("10 x int64", Collections.nCopies(10, int64), 52_428);
        measure("10 x int32", Collections.nCopies(10, new DataType.Fixed(4, new Meaning.SignedInt())), 65_536);
        measure("20 x bool", Collections.nCopies(20, new DataType.Bool()), 65_536);
        measure("4 x decimal128", Collections.nCopies(4, new DataType.Fixed(16, new Meaning.Decimal(38, 0))), 65_536);
        measure("4 x string (avg 10 bytes)", Collections.nCopies(4, text), 65_536);
        measure("4 x string view", Collections.nCopies(4, new DataType.View(true)), 40_000);
        DataType list = new DataType.Varied(false, false, false, int64);
        measure("4 x list<int64> (avg 2 items)", Collections.nCopies(4, list), 40_000);
        DataType dictionary = new DataType.Dictionary(new DataType.Fixed(4, new Meaning.SignedInt()), false, text);
        measure("10 x dictionary<int32, string>", Collections.nCopies(10, dictionary), 65_536);
    }

    private static void measure(String name, List<DataType> types, int rows) {
        try (Arena arena = Arena.ofShared()) {
            List<Column> source = new ArrayList<>();
            for (DataType type : types) {
                source.add(new RandomColumns(new Random(3), arena).withoutNulls(type, rows));
            }
            int[] order = order(rows);
            Layout layout = Layout.of(types);
            BlockBuilder builder = new BlockBuilder(layout);
            builder.addRows(source, order, 0, rows);
            long all = builder.bytes();
            int rowsPerBlock = (int) Math.max(1, rows * BLOCK_BYTES / all);
            MemorySegment slab = arena.allocate(1 << 20, 64);
            MemorySegment from = arena.allocate(all);
            double gather = 0;
            double copy = 0;
            double range = 0;
            long allocated = 0;
            for (int round = 0; round < ROUNDS; round++) {
                long before = ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class)
                        .getCurrentThreadAllocatedBytes();
                long start = System.nanoTime();
                long bytes = gather(builder, source, order, rowsPerBlock, slab);
                long middle = System.nanoTime();
                allocated = ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class)
                                .getCurrentThreadAllocatedBytes()
                        - before;
                range(builder, source, rows, rowsPerBlock, slab);
                long late = System.nanoTime();
                for (long at = 0; at < all; at += BLOCK_BYTES) {
                    long step = Math.min(BLOCK_BYTES, all - at);
                    MemorySegment.copy(from, at, slab, at % (3 * BLOCK_BYTES), step);
                }
                long end = System.nanoTime();
                gather = Math.max(gather, (double) bytes / (middle - start));
                range = Math.max(range, (double) bytes / (late - middle));
                copy = Math.max(copy, (double) all / (end - late));
            }
            System.out.printf(
                    "%-32s gather %5.2f GB/s, ranges %5.2f GB/s, plain copy %5.2f GB/s, heap %d B per block%n",
                    name, gather, range, copy, allocated / ((rows + rowsPerBlock - 1) / rowsPerBlock));
        }
    }

    private static long gather(
            BlockBuilder builder, List<Column> source, int[] order, int rowsPerBlock, MemorySegment slab) {
        long bytes = 0;
        for (int from = 0; from < order.length; from += rowsPerBlock) {
            int to = Math.min(order.length, from + rowsPerBlock);
            builder.reset();
            builder.addRows(source, order, from, to);
            builder.addEntry(0, 0, 0, 0, to - from);
            bytes += builder.bytes();
            builder.write(slab);
        }
        return bytes;
    }

    private static void range(
            BlockBuilder builder, List<Column> source, int rows, int rowsPerBlock, MemorySegment slab) {
        for (int from = 0; from < rows; from += rowsPerBlock) {
            int count = Math.min(rows - from, rowsPerBlock);
            builder.reset();
            builder.addRange(source, from, count);
            builder.addEntry(0, 0, 0, 0, count);
            builder.write(slab);
        }
    }

    /** Rows grouped by a random partition, ascending within each. */
    private static int[] order(int rows) {
        Random random = new Random(1);
        List<List<Integer>> partitions = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            partitions.add(new ArrayList<>());
        }
        for (int row = 0; row < rows; row++) {
            partitions.get(random.nextInt(PARTITIONS)).add(row);
        }
        return partitions.stream()
                .flatMap(List::stream)
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
