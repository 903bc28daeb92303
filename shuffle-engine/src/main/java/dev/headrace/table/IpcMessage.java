package dev.headrace.table;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes that are to follow each other in an IPC stream, as views of the memory of the columns that they were made of;
 * lives as long as that. Owns only the metadata. Any range can be copied out, from any thread.
 */
public final class IpcMessage {
    private final MemorySegment[] parts;
    private final long[] ends;

    private IpcMessage(MemorySegment[] parts, long[] ends) {
        this.parts = parts;
        this.ends = ends;
    }

    /** The length of the whole, a multiple of 8. */
    public long bytes() {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    /** Fills {@code target} with the bytes from {@code fromByte} on; there must be enough. */
    public void copyTo(long fromByte, MemorySegment target) {
        long length = target.byteSize();
        if (fromByte < 0 || fromByte > bytes() - length) {
            throw new IndexOutOfBoundsException(
                    "bytes " + fromByte + " to " + (fromByte + length) + " of a message of " + bytes());
        }
        // The part that holds the byte is the first one that ends behind it.
        int part = Arrays.binarySearch(ends, fromByte + 1);
        part = part < 0 ? -part - 1 : part;
        for (long copied = 0; copied < length; part++) {
            long skip = fromByte + copied - (ends[part] - parts[part].byteSize());
            long count = Math.min(parts[part].byteSize() - skip, length - copied);
            MemorySegment.copy(parts[part], skip, target, copied, count);
            copied += count;
        }
    }

    /** Collects parts, none of them empty. */
    static final class Builder {
        private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[8]);

        private final List<MemorySegment> parts = new ArrayList<>();

        void add(MemorySegment part) {
            if (part.byteSize() > 0) {
                parts.add(part);
            }
        }

        void addPadded(MemorySegment part) {
            add(part);
            add(ZEROS.asSlice(0, Words.padded(part.byteSize()) - part.byteSize()));
        }

        IpcMessage build() {
            long[] ends = new long[parts.size()];
            long end = 0;
            for (int i = 0; i < ends.length; i++) {
                end += parts.get(i).byteSize();
                ends[i] = end;
            }
            return new IpcMessage(parts.toArray(MemorySegment[]::new), ends);
        }
    }
}
