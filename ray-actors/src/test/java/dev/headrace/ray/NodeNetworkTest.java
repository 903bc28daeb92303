package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;

import io.ray.api.id.UniqueId;
import io.ray.api.runtimecontext.NodeInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NodeNetworkTest {
    private final UniqueId here = UniqueId.randomId();

    private static NodeInfo node(UniqueId id, String address, boolean alive) {
        return new NodeInfo(id, address, "host", 1, "", "", alive, Map.of(), Map.of());
    }

    @Test
    void shouldUseTheLoopbackWhenAllNodesAreOnOneMachine() {
        assertThat(NodeNetwork.devices(
                        List.of(
                                node(here, "10.0.0.1", true),
                                node(UniqueId.randomId(), "10.0.0.1", true),
                                node(UniqueId.randomId(), "10.0.0.9", false)),
                        here))
                .isEqualTo("lo");
    }

    @Test
    void shouldUseTheAddressThatRayUsesWhenThereAreSeveralMachines() {
        assertThat(NodeNetwork.devices(
                        List.of(node(UniqueId.randomId(), "10.0.0.1", true), node(here, "10.0.0.2", true)), here))
                .isEqualTo("10.0.0.2");
    }
}
