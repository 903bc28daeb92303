package dev.headrace.bench;

import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.inprocess.Hub;
import dev.headrace.transport.ucx.JobKey;
import dev.headrace.transport.ucx.UcxSettings;
import dev.headrace.transport.ucx.UcxTransport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes the transports that the communicator asks for; any thread. */
final class Transports {
    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

    /** Long, since ranks that share few cores are silent for a while, and a lost rank has its pipe closed anyway. */
    private static final Duration PEER_TIMEOUT = Duration.ofSeconds(30);

    private final BenchSettings settings;
    private final JobKey key;
    private final Hub hub = new Hub(CONNECT_TIMEOUT);

    /** @param key what ranks of this benchmark prove to each other */
    Transports(BenchSettings settings, JobKey key) {
        this.settings = settings;
        this.key = key;
    }

    /** The transport of an engine whose memory is the region. */
    Transport ofEngine(PeerId self, SharedRegion region) {
        return switch (settings.communicator()) {
            case IN_PROCESS -> hub.transport(self);
            case UCX -> ucx(self, region, true);
            case UCX_NO_SHARED_SLABS -> ucx(self, region, false);
        };
    }

    /** A transport that sends everything over the network. */
    Transport ofNetwork(PeerId self) {
        return ucx(self, null, false);
    }

    private Transport ucx(PeerId self, @Nullable SharedRegion region, boolean sharedSlabs) {
        return new UcxTransport(
                self,
                UcxSettings.of(
                        settings.nativeDirectory(),
                        settings.netDevices(),
                        key,
                        PEER_TIMEOUT,
                        CONNECT_TIMEOUT,
                        sharedSlabs),
                region);
    }
}
