package dev.headrace.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.TestRank;
import dev.headrace.transport.Transport;
import java.util.IdentityHashMap;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The contract over UCX's tcp with all bodies in memory that the peers can read. */
final class SharedSlabTransportTest extends UcxTransportTest {
    private static final long REGION_BYTES = 1 << 30;

    private final IdentityHashMap<Transport, SharedRegion> regions = new IdentityHashMap<>();

    @Override
    protected Transport open(PeerId self) {
        SharedRegion region = SharedRegion.create(REGION_BYTES);
        UcxTransport transport = new UcxTransport(self, settings(key), region);
        regions.put(transport, region);
        return transport;
    }

    /** Every body of a test gets its own place: untouched pages cost nothing. */
    @Override
    protected TestRank.MemorySource memory(Transport transport) {
        SharedRegion region = Objects.requireNonNull(regions.get(transport));
        long[] next = {0};
        return bytes -> {
            synchronized (next) {
                long at = next[0];
                next[0] += (bytes + 63) / 64 * 64;
                return region.segment().asSlice(at, bytes);
            }
        };
    }

    @Override
    protected void ranksAreClosed() {
        regions.values().forEach(SharedRegion::close);
    }

    @Test
    void shouldSendBodiesByReferenceOncePeerCanReadThem() {
        TestRank low = rank(0, 1);
        TestRank high = rank(1, 1);
        low.join(high);
        UcxTransport lowTransport = (UcxTransport) low.transport();

        long[] sent = {0};
        TestRank.await("a body by reference", () -> {
            low.send(high.self(), ++sent[0], 64, 1 << 20, sent[0]);
            return lowTransport.counts().sharedSlabBodies() > 0;
        });
        TestRank.await("the bodies", () -> high.bodies() == sent[0]);

        assertThat(lowTransport.counts().sharedSlabBytes()).isPositive();
    }
}
