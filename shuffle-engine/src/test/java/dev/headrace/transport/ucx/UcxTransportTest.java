package dev.headrace.transport.ucx;

import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;

/** The contract over UCX's tcp. */
class UcxTransportTest extends TransportContract {
    private static final Path UCX = UcxDirectory.require();
    final JobKey key = JobKey.random();

    @Override
    protected Transport open(PeerId self) {
        return new UcxTransport(self, settings(key), null);
    }

    static UcxSettings settings(JobKey key) {
        return UcxSettings.of(UCX, "lo", key, Duration.ofSeconds(4), Duration.ofSeconds(1), true);
    }

    @Override
    protected byte[] deadAddress() {
        try (ServerSocket closedSoon = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new UcxAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), closedSoon.getLocalPort()))
                    .encode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
