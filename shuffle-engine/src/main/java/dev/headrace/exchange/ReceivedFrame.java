package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.pack.Block;
import dev.headrace.pack.Frame;
import dev.headrace.pack.FrameHeader;
import dev.headrace.transport.PeerId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Looks at a frame and every block of it before anything in it is trusted. Stateless; no lock is held for it. */
final class ReceivedFrame {
    private ReceivedFrame() {}

    /**
     * The frame in these bytes; CORRUPT_DATA unless it is whole, of this shuffle, and by this sender.
     *
     * @param own whether the sender is this rank, whose frames have not left its memory
     */
    static Frame open(MemorySegment bytes, long wireId, PeerId sender, boolean own) {
        Frame frame = own ? Frame.ofThisProcess(bytes) : Frame.open(bytes);
        FrameHeader header = frame.header();
        if (header.wireId() != wireId) {
            throw HeadraceException.corruptData(
                    "frame of shuffle " + header.wireId() + " came as one of shuffle " + wireId);
        }
        if (header.sourceRank() != sender.rank() || header.incarnation() != sender.incarnation()) {
            throw HeadraceException.corruptData("frame of rank " + header.sourceRank() + ", incarnation "
                    + header.incarnation() + " came from rank " + sender.rank() + ", incarnation "
                    + sender.incarnation());
        }
        return frame;
    }

    /** The blocks, whose entries are of partitions from {@code first} to {@code end - 1}; else CORRUPT_DATA. */
    static List<Block> blocks(Frame frame, int first, int end, boolean own) {
        List<Block> blocks = new ArrayList<>(frame.blockCount());
        for (int i = 0; i < frame.blockCount(); i++) {
            Block block = frame.block(i);
            if (!own) {
                block.validate();
                checkPartitions(block, first, end);
            }
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
