package dev.headrace.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body whose length is no {@code int}, while small messages pass it. Both ranks run in turn on this thread. */
@Tag("system")
@Timeout(120)
final class HugeBodyTest {
    private static final long BYTES = (2L << 30) + 12_345;
    private static final long STRIDE = (1 << 20) + 8;

    private final PeerId low = new PeerId(0, 1);
    private final PeerId high = new PeerId(1, 1);
    private int connected;
    private int passed;
    private boolean landed;

    @ParameterizedTest(name = "shared slabs: {0}")
    @ValueSource(booleans = {false, true})
    void shouldCarryBodyOverTwoGibibytesWhileOthersPass(boolean sharedSlabs) {
        UcxSettings settings = UcxSettings.of(
                UcxDirectory.require(),
                "lo",
                JobKey.random(),
                Duration.ofSeconds(4),
                Duration.ofSeconds(5),
                sharedSlabs);
        // One region stands for the memory of both ranks: the body lands where it lies, so it needs its pages only
        // once.
        try (SharedRegion region = SharedRegion.create(BYTES);
                UcxTransport sender = new UcxTransport(low, settings, region);
                UcxTransport receiver = new UcxTransport(high, settings, region)) {
            MemorySegment body = region.segment();
            region.touch(0, BYTES);
            for (long at = 0; at < BYTES - Long.BYTES; at += STRIDE) {
                body.set(ValueLayout.JAVA_LONG_UNALIGNED, at, at);
            }
            sender.start(new Listener(body));
            receiver.start(new Listener(body));
            sender.connect(high, receiver.address());
            receiver.connect(low, sender.address());
            run(sender, receiver, () -> connected == 2);
            run(sender, receiver, () -> !sharedSlabs || readable(sender, body));

            MemorySegment header = MemorySegment.ofArray(new byte[8]);
            sender.send(high, header, body, 1);
            int before = passed;
            run(sender, receiver, () -> {
                sender.send(high, header, null, 0);
                return landed;
            });

            assertThat(passed - before).as("messages that passed the body").isGreaterThan(10);
            for (long at = 0; at < BYTES - Long.BYTES; at += STRIDE) {
                assertThat(body.get(ValueLayout.JAVA_LONG_UNALIGNED, at)).isEqualTo(at);
            }
        }
    }

    private boolean readable(UcxTransport sender, MemorySegment body) {
        landed = false;
        sender.send(high, MemorySegment.ofArray(new byte[8]), body.asSlice(0, 8192), 1);
        return sender.counts().sharedSlabBodies() > 0;
    }

    private interface Condition {
        boolean holds();
    }

    private static void run(Transport one, Transport other, Condition end) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (!end.holds()) {
            one.progress();
            other.progress();
            assertThat(System.nanoTime() - deadline).isNegative();
        }
    }

    private final class Listener implements TransportListener {
        private final MemorySegment target;

        Listener(MemorySegment target) {
            this.target = target;
        }

        @Override
        public void onConnected(PeerId peer) {
            connected++;
        }

        @Override
        public void onMessage(PeerId from, MemorySegment header) {
            passed++;
        }

        @Override
        public @Nullable Landing onBody(PeerId from, MemorySegment header, long bodyBytes) {
            if (bodyBytes < BYTES) {
                return null;
            }
            return new Landing() {
                @Override
                public MemorySegment segment() {
                    return target;
                }

                @Override
                public void landed() {
                    landed = true;
                }

                @Override
                public void failed(HeadraceException cause) {
                    throw cause;
                }
            };
        }

        @Override
        public void onSent(long token) {
            // the end is seen at the receiver
        }

        @Override
        public void onPeerLost(PeerId peer, HeadraceException cause) {
            throw cause;
        }
    }
}
