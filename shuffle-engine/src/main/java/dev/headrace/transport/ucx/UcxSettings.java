package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a {@link UcxTransport} has to be told.
 *
 * @param nativeDirectory where {@code libucp.so.0} lies, or the directory above its {@code lib}
 * @param netDevices the network devices to use, as UCX names them or by an address of theirs, separated by commas; it
 *     listens on the first that is a network interface
 * @param jobKey what peers have to prove
 * @param heartbeat how often a peer hears from this rank at least
 * @param peerTimeout a peer silent for longer is lost; all ranks of a job have the same
 * @param connectTimeout how long a connection may take, from either side's {@code connect}
 * @param sharedSlabs whether bodies may be read from the memory of peers on the same node
 */
public record UcxSettings(
        Path nativeDirectory,
        String netDevices,
        JobKey jobKey,
        Duration heartbeat,
        Duration peerTimeout,
        Duration connectTimeout,
        boolean sharedSlabs) {

    /** Heartbeats in one {@link #peerTimeout}: a few may be late before a peer is lost. */
    private static final int HEARTBEATS_PER_TIMEOUT = 8;

    public UcxSettings {
        positive("peer_timeout", peerTimeout);
        positive("connect_timeout", connectTimeout);
        positive("heartbeat", heartbeat);
        if (heartbeat.compareTo(peerTimeout.dividedBy(2)) > 0) {
            throw HeadraceException.invalidInput(
                    "heartbeat " + heartbeat + " is more than half of peer_timeout " + peerTimeout);
        }
        if (netDevices.isBlank()) {
            throw HeadraceException.invalidInput("net_devices names no device");
        }
    }

    /** Settings with heartbeats eight times in a peer timeout. */
    public static UcxSettings of(
            Path nativeDirectory,
            String netDevices,
            JobKey jobKey,
            Duration peerTimeout,
            Duration connectTimeout,
            boolean sharedSlabs) {
        positive("peer_timeout", peerTimeout);
        Duration heartbeat = peerTimeout.dividedBy(HEARTBEATS_PER_TIMEOUT);
        return new UcxSettings(
                nativeDirectory, netDevices, jobKey, heartbeat, peerTimeout, connectTimeout, sharedSlabs);
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw HeadraceException.invalidInput(name + " must be positive, not " + value);
        }
    }
}
