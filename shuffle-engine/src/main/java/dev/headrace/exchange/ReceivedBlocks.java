package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.pack.Block;
import dev.headrace.pack.Frame;
import java.util.ArrayList;
import java.util.List;

/** Looks at every block of a frame before anything in it is trusted. Stateless; no lock is held for it. */
final class ReceivedBlocks {
    private ReceivedBlocks() {}

    /** The blocks, whose entries are of partitions from {@code first} to {@code end - 1}; else CORRUPT_DATA. */
    static List<Block> of(Frame frame, int first, int end) {
        List<Block> blocks = new ArrayList<>(frame.blockCount());
        for (int i = 0; i < frame.blockCount(); i++) {
            Block block = frame.block(i);
            block.validate();
            checkPartitions(block, first, end);
            blocks.add(block);
        }
        return blocks;
    }

    private static void checkPartitions(Block block, int first, int end) {
        int previous = -1;
        for (int i = 0; i < block.entryCount(); i++) {
            int partition = block.partitionAt(i);
            if (partition < first || partition >= end || partition <= previous) {
                throw HeadraceException.corruptData("partition " + partition + " is not one of " + first + " to "
                        + (end - 1) + ", which the owner has, in ascending order");
            }
            previous = partition;
        }
    }
}
