package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import dev.headrace.pack.Block;
import dev.headrace.pack.Layout;
import dev.headrace.spill.SpillExtent;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** Where one block lies; immutable. Its unit says how long. */
public sealed interface StoredBlock {

    /** The types of its columns. */
    Layout layout();

    /** What it lies in; guarded by the lock of the inbox. */
    StoredUnit unit();

    /** Its length in bytes. */
    long bytes();

    /** Rows of all its entries. */
    long rows();

    /**
     * A block as it came in a frame: entries of one (batch, piece, block), partitions ascending. Knows the first and
     * the last partition by itself: every partition's plan asks every block, and its bytes are far away by then.
     */
    record InMemory(StoredUnit unit, Layout layout, Block block, int firstPartition, int lastPartition)
            implements StoredBlock {

        static InMemory of(StoredUnit unit, Layout layout, Block block) {
            return new InMemory(unit, layout, block, block.partitionAt(0), block.partitionAt(block.entryCount() - 1));
        }

        @Override
        public long bytes() {
            return block.bytes();
        }

        @Override
        public long rows() {
            return block.rows();
        }

        /** Index of the entry of a partition, or a negative number. */
        int find(int partition) {
            if (partition < firstPartition || partition > lastPartition) {
                return -1;
            }
            int low = 0;
            int high = block.entryCount() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int found = block.partitionAt(middle);
                if (found == partition) {
                    return middle;
                }
                if (found < partition) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return -1;
        }
    }

    /**
     * A block in a spill file: its entries are of one partition, or of several if it was written as it came.
     *
     * @param checksum CRC32C of its bytes
     */
    record OnDisk(
            StoredUnit unit,
            Layout layout,
            SpillExtent extent,
            long offset,
            long bytes,
            int entryCount,
            long rows,
            int checksum)
            implements StoredBlock {

        /** Reads the whole block into memory of exactly its length, and refuses what is not what was written. */
        public Block readInto(MemorySegment target) {
            extent.read(offset, target);
            if (checksumOf(target) != checksum) {
                throw HeadraceException.corruptData(
                        "a block of " + bytes + " bytes came back from disk with another checksum: " + extent);
            }
            Block block = Block.read(layout, target);
            block.validate();
            return block;
        }

        static int checksumOf(MemorySegment bytes) {
            CRC32C crc = new CRC32C();
            for (long from = 0; from < bytes.byteSize(); from += STEP_BYTES) {
                long length = Math.min(STEP_BYTES, bytes.byteSize() - from);
                crc.update(bytes.asSlice(from, length).asByteBuffer());
            }
            return (int) crc.getValue();
        }
    }

    /** A ByteBuffer, which the checksum is computed over, has fewer than 2 GiB. */
    long STEP_BYTES = 1L << 30;
}
