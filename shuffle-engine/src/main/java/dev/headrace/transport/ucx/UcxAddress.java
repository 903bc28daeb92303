package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where a rank listens, as the bytes that {@link UcxTransport#address} hands out. */
record UcxAddress(InetSocketAddress socket) {
    private static final int MAGIC = 0x31_41_52_48;

    byte[] encode() {
        byte[] host = socket.getAddress().getAddress();
        return ByteBuffer.allocate(Integer.BYTES + Short.BYTES + 1 + host.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) socket.getPort())
                .put((byte) host.length)
                .put(host)
                .array();
    }

    static UcxAddress decode(byte[] bytes) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            if (buffer.getInt() != MAGIC) {
                throw HeadraceException.invalidInput("not the address of a UCX transport");
            }
            int port = Short.toUnsignedInt(buffer.getShort());
            byte[] host = new byte[Byte.toUnsignedInt(buffer.get())];
            buffer.get(host);
            return new UcxAddress(new InetSocketAddress(InetAddress.getByAddress(host), port));
        } catch (BufferUnderflowException | UnknownHostException e) {
            throw HeadraceException.invalidInput("a damaged address of " + bytes.length + " bytes");
        }
    }
}
