package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SharedRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/**
 * The memory of a peer on this node, opened for reading. It is read with system calls and never mapped: so its pages
 * don't count as this process's, and a peer that dies, or shrinks its file, gives an error here and not a fatal signal.
 * Owned and closed by its connection.
 */
final class PeerRegion implements AutoCloseable {
    private final FileChannel channel;
    private final long bytes;

    private PeerRegion(FileChannel channel, long bytes) {
        this.channel = channel;
        this.bytes = bytes;
    }

    /** Where a region is, as peers tell each other: process, descriptor, length, and an identity to check it by. */
    record Location(long pid, int fileDescriptor, long bytes, String identity) {

        static Location of(SharedRegion region) {
            return new Location(
                    region.pid(), region.fileDescriptor(), region.segment().byteSize(), region.identity());
        }

        byte[] encode() {
            byte[] name = identity.getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.allocate(Long.BYTES + Integer.BYTES + Long.BYTES + name.length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(pid)
                    .putInt(fileDescriptor)
                    .putLong(bytes)
                    .put(name)
                    .array();
        }

        static Location decode(ByteBuffer source) {
            try {
                source.order(ByteOrder.LITTLE_ENDIAN);
                long pid = source.getLong();
                int fileDescriptor = source.getInt();
                long bytes = source.getLong();
                byte[] name = new byte[source.remaining()];
                source.get(name);
                return new Location(pid, fileDescriptor, bytes, new String(name, StandardCharsets.UTF_8));
            } catch (BufferUnderflowException e) {
                throw HeadraceException.corruptData("a damaged location of shared memory");
            }
        }
    }

    /** Opens the region, if it is on this node and really that of the peer. */
    static PeerRegion open(Location location) throws IOException {
        FileChannel channel = SharedRegion.openOf(location.pid(), location.fileDescriptor(), location.identity());
        return new PeerRegion(channel, location.bytes());
    }

    boolean contains(long offset, long length) {
        return offset >= 0 && length >= 0 && length <= bytes - offset;
    }

    /** Reads bytes from the offset on into the whole of the target. */
    void read(long offset, MemorySegment target) throws IOException {
        ByteBuffer buffer = target.asByteBuffer();
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new IOException("the peer's memory ends before byte " + (offset + target.byteSize()));
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
