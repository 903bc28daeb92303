package dev.headrace.transport.ucx;

import java.nio.file.Path;
import java.util.Map;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpParams;

/** UCX configured for peers that may be killed at any time. Made and closed by the transport, after its worker. */
final class UcxContext implements AutoCloseable {
    /**
     * Never UCX's own shared memory: a peer that dies while it writes there stops its reader for good, without an
     * error. The segment sizes double the throughput over tcp.
     */
    private static final Map<String, String> CONFIGURATION = Map.of(
            "TLS", "tcp",
            "KEEPALIVE_INTERVAL", "1s",
            "TCP_TX_SEG_SIZE", "64k",
            "TCP_RX_SEG_SIZE", "256k",
            "LOG_LEVEL", "fatal");

    private final Path ucpLibrary;
    private final UcpContext handle;

    private UcxContext(Path ucpLibrary, UcpContext handle) {
        this.ucpLibrary = ucpLibrary;
        this.handle = handle;
    }

    static UcxContext open(UcxSettings settings, NetDevices devices) {
        Path ucpLibrary = NativeLibraries.load(settings.nativeDirectory());
        UcpParams params = new UcpParams().requestAmFeature().requestWakeupFeature();
        CONFIGURATION.forEach(params::setConfig);
        params.setConfig("NET_DEVICES", devices.names());
        return new UcxContext(ucpLibrary, new UcpContext(params));
    }

    UcpContext handle() {
        return handle;
    }

    Path ucpLibrary() {
        return ucpLibrary;
    }

    @Override
    public void close() {
        handle.close();
    }
}
