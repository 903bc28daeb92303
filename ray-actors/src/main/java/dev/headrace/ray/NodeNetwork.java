package dev.headrace.ray;

import io.ray.api.Ray;
import io.ray.api.id.UniqueId;
import io.ray.api.runtimecontext.NodeInfo;
import java.util.List;

/** Which network the ranks of this cluster reach each other by; asked inside of a Ray worker. */
final class NodeNetwork {
    private static final String LOOPBACK = "lo";

    private NodeNetwork() {}

    /** The loopback device if all nodes are on one machine, else the address by which Ray reaches this node. */
    static String devices() {
        return devices(
                Ray.getRuntimeContext().getAllNodeInfo(),
                Ray.getRuntimeContext().getCurrentNodeId());
    }

    static String devices(List<NodeInfo> nodes, UniqueId here) {
        List<NodeInfo> alive = nodes.stream().filter(node -> node.isAlive).toList();
        long addresses = alive.stream().map(node -> node.nodeAddress).distinct().count();
        return alive.stream()
                .filter(node -> addresses > 1 && node.nodeId.equals(here))
                .map(node -> node.nodeAddress)
                .findFirst()
                .orElse(LOOPBACK);
    }
}
