package dev.headrace.engine;

import dev.headrace.HeadraceException;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Transport;
import dev.headrace.transport.TransportListener;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A transport whose messages and bodies arrive late and in any order, as the contract of {@link Transport} allows, and
 * that has some bodies come a second time, as from a sender that does not know that they came. The seed decides; the
 * owner thread of the wrapped transport runs it.
 */
final class FlakyTransport implements Transport {
    private static final int LATEST_TURNS = 6;
    private static final int AGAIN_ONE_OF = 4;

    private final Transport inner;
    private final Random random;
    private final BiConsumer<PeerId, byte[]> again;
    private final List<Runnable> held = new ArrayList<>();

    /** @param again takes a body that came before; called on the owner thread */
    FlakyTransport(Transport inner, long seed, BiConsumer<PeerId, byte[]> again) {
        this.inner = inner;
        this.random = new Random(seed);
        this.again = again;
    }

    @Override
    public byte[] address() {
        return inner.address();
    }

    @Override
    public void start(TransportListener listener) {
        inner.start(new Delaying(listener));
    }

    @Override
    public void connect(PeerId peer, byte[] address) {
        inner.connect(peer, address);
    }

    @Override
    public void send(PeerId peer, MemorySegment header, @Nullable MemorySegment body, long token) {
        inner.send(peer, header, body, token);
    }

    @Override
    public void disconnect(PeerId peer) {
        inner.disconnect(peer);
    }

    @Override
    public int progress() {
        int done = inner.progress();
        int released = random.nextInt(held.size() / LATEST_TURNS + 2);
        for (int i = 0; i < released && !held.isEmpty(); i++) {
            held.remove(random.nextInt(held.size())).run();
            done++;
        }
        return done + held.size();
    }

    @Override
    public void await(long timeoutNanos) {
        inner.await(timeoutNanos);
    }

    @Override
    public void wakeUp() {
        inner.wakeUp();
    }

    @Override
    public void close() {
        inner.close();
    }

    private final class Delaying implements TransportListener {
        private final TransportListener listener;

        Delaying(TransportListener listener) {
            this.listener = listener;
        }

        @Override
        public void onConnected(PeerId peer) {
            listener.onConnected(peer);
        }

        @Override
        public void onMessage(PeerId from, MemorySegment header) {
            MemorySegment copy = MemorySegment.ofArray(header.toArray(ValueLayout.JAVA_BYTE));
            held.add(() -> listener.onMessage(from, copy));
        }

        @Override
        public @Nullable Landing onBody(PeerId from, MemorySegment header, long bodyBytes) {
            Landing landing = listener.onBody(from, header, bodyBytes);
            return landing == null ? null : new LateLanding(from, landing, bodyBytes);
        }

        @Override
        public void onSent(long token) {
            held.add(() -> listener.onSent(token));
        }

        @Override
        public void onPeerLost(PeerId peer, HeadraceException cause) {
            List<Runnable> left = List.copyOf(held);
            held.clear();
            left.forEach(Runnable::run);
            listener.onPeerLost(peer, cause);
        }
    }

    private final class LateLanding implements TransportListener.Landing {
        private final PeerId from;
        private final TransportListener.Landing landing;
        private final long bytes;

        LateLanding(PeerId from, TransportListener.Landing landing, long bytes) {
            this.from = from;
            this.landing = landing;
            this.bytes = bytes;
        }

        @Override
        public MemorySegment segment() {
            return landing.segment();
        }

        @Override
        public void landed() {
            if (random.nextInt(AGAIN_ONE_OF) == 0) {
                byte[] copy = landing.segment().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
                held.add(() -> again.accept(from, copy));
            }
            held.add(landing::landed);
        }

        @Override
        public void failed(HeadraceException cause) {
            landing.failed(cause);
        }
    }
}
