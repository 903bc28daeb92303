package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.inprocess.Hub;
import dev.headrace.transport.ucx.UcxSettings;
import dev.headrace.transport.ucx.UcxTransport;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Makes the transport that a rank's settings name; any thread. */
final class RankTransports {

    /** Ranks of one JVM find each other by their job's key. */
    private static final Map<String, Hub> HUBS = new ConcurrentHashMap<>();

    private RankTransports() {}

    static Transport create(RankSettings settings, SharedRegion region) {
        PeerId self = new PeerId(settings.rank(), settings.incarnation());
        return switch (settings.transport()) {
            case "ucx" -> new UcxTransport(self, ucx(settings), region);
            case "in-process" ->
                HUBS.computeIfAbsent(settings.jobKey().toHex(), _ -> new Hub(settings.connectTimeout()))
                        .transport(self);
            default ->
                throw HeadraceException.invalidInput(
                        "transport is '" + settings.transport() + "', must be ucx or in-process");
        };
    }

    private static UcxSettings ucx(RankSettings settings) {
        String libraries =
                settings.nativeDirectory().isEmpty() ? Installation.nativeDirectory() : settings.nativeDirectory();
        if (libraries.isEmpty()) {
            throw HeadraceException.invalidInput(
                    "native_directory is not given, and UCX's libraries are not beside the jar " + Installation.jars());
        }
        return UcxSettings.of(
                Path.of(libraries),
                settings.netDevices().isEmpty() ? NodeNetwork.devices() : settings.netDevices(),
                settings.jobKey(),
                settings.peerTimeout(),
                settings.connectTimeout(),
                settings.sharedSlabs());
    }
}
