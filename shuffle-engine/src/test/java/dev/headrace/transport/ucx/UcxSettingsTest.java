package dev.headrace.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UcxSettingsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void shouldHeartbeatEightTimesInPeerTimeout() {
        assertThat(settings("lo", Duration.ofSeconds(8), SECOND).heartbeat()).isEqualTo(SECOND);
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertThatThrownBy(() -> settings(" ", SECOND, SECOND)).hasMessageContaining("net_devices");
        assertThatThrownBy(() -> settings("lo", Duration.ZERO, SECOND)).hasMessageContaining("peer_timeout");
        assertThatThrownBy(() -> settings("lo", SECOND, SECOND.negated())).hasMessageContaining("connect_timeout");
        assertThatThrownBy(() -> new UcxSettings(Path.of("/"), "lo", JobKey.random(), SECOND, SECOND, SECOND, true))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining("heartbeat PT1S");
    }

    @Test
    void shouldNameDirectoryWithoutUcx(@TempDir Path empty) {
        assertThatThrownBy(() -> NativeLibraries.directoryOf(empty))
                .isInstanceOf(HeadraceException.class)
                .hasMessageContaining(empty.toString());
    }

    @Test
    void shouldListenOnFirstDeviceThatIsInterface() {
        assertThat(NetDevices.of("mlx5_99:1, lo").host().isLoopbackAddress()).isTrue();
        assertThat(NetDevices.of("127.0.0.1").names()).isEqualTo("lo");
        assertThatThrownBy(() -> NetDevices.of("nothing0"))
                .isInstanceOfSatisfying(
                        HeadraceException.class, e -> assertThat(e.category()).isEqualTo(Category.INVALID_INPUT))
                .hasMessageContaining("nothing0")
                .hasMessageContaining("this machine has")
                .hasMessageContaining("lo");
    }

    @Test
    void shouldReadAddressAsItWasWritten() throws Exception {
        for (String host : new String[] {"127.0.0.1", "::1"}) {
            UcxAddress address = new UcxAddress(new InetSocketAddress(InetAddress.getByName(host), 65_000));
            assertThat(UcxAddress.decode(address.encode())).isEqualTo(address);
        }
    }

    @Test
    void shouldRefuseDamagedAddress() {
        byte[] right = new UcxAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)).encode();
        for (int length = 0; length < right.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(right, length);
            assertThatThrownBy(() -> UcxAddress.decode(cut)).isInstanceOf(HeadraceException.class);
        }
    }

    private static UcxSettings settings(String devices, Duration peerTimeout, Duration connectTimeout) {
        return UcxSettings.of(Path.of("/"), devices, JobKey.random(), peerTimeout, connectTimeout, true);
    }
}
