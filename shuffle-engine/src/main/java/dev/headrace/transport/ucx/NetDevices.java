package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The network devices that a rank may use; immutable.
 *
 * @param names as UCX names them, separated by commas
 * @param host where the rank listens: an address of the first of them that is a network interface
 */
record NetDevices(String names, InetAddress host) {

    /**
     * Looks up what a user has named: interfaces, or addresses of interfaces, separated by commas. INVALID_INPUT says
     * which interfaces there are if none of it is one.
     */
    static NetDevices of(String named) {
        List<String> names = new ArrayList<>();
        InetAddress host = null;
        for (String each : named.split(",", -1)) {
            String device = each.strip();
            Found found = find(device);
            names.add(found == null ? device : found.name);
            host = host == null && found != null ? found.address : host;
        }
        if (host == null) {
            throw HeadraceException.invalidInput("net_devices is '" + named
                    + "', which names no network interface with an address; this machine has " + interfaces());
        }
        return new NetDevices(String.join(",", names), host);
    }

    private record Found(String name, InetAddress address) {}

    private static @Nullable Found find(String device) {
        try {
            NetworkInterface byName = NetworkInterface.getByName(device);
            if (byName != null) {
                InetAddress address = preferred(byName);
                return address == null ? null : new Found(byName.getName(), address);
            }
            InetAddress address = literal(device);
            if (address == null) {
                return null;
            }
            NetworkInterface byAddress = NetworkInterface.getByInetAddress(address);
            return byAddress == null ? null : new Found(byAddress.getName(), address);
        } catch (SocketException e) {
            throw HeadraceException.internal("can't look up the network device " + device, e);
        }
    }

    /** The address that the text spells; null if it is a name, which is not looked up. */
    private static @Nullable InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable InetAddress preferred(NetworkInterface device) {
        List<InetAddress> addresses = device.getInterfaceAddresses().stream()
                .map(InterfaceAddress::getAddress)
                .toList();
        return addresses.stream()
                .filter(Inet4Address.class::isInstance)
                .findFirst()
                .orElseGet(() -> addresses.isEmpty() ? null : addresses.getFirst());
    }

    private static String interfaces() {
        try {
            return NetworkInterface.networkInterfaces()
                    .map(NetworkInterface::getName)
                    .sorted()
                    .collect(Collectors.joining(", "));
        } catch (SocketException e) {
            return "none that can be listed: " + e.getMessage();
        }
    }
}
