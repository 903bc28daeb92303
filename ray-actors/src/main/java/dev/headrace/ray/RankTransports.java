package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.transport.Transport;

/** Picks the transport that a rank's settings name. */
final class RankTransports {

    private RankTransports() {}

    static Transport create(RankSettings settings) {
        throw HeadraceException.invalidInput("transport is '" + settings.transport() + "', must be ucx or in-process");
    }
}
