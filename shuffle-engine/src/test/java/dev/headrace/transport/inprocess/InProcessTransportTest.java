package dev.headrace.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportContract;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class InProcessTransportTest extends TransportContract {
    private final Hub hub = new Hub(Duration.ofSeconds(1));

    @Override
    protected Transport open(PeerId self) {
        return hub.transport(self);
    }

    @Override
    protected byte[] deadAddress() {
        return new byte[Long.BYTES];
    }

    @Test
    void shouldNameTransportByItsAddress() {
        try (Transport one = hub.transport(new PeerId(0, 1));
                Transport other = hub.transport(new PeerId(1, 1))) {
            assertThat(one.address()).isNotEqualTo(other.address());
        }
    }
}
