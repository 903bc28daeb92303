package dev.headrace.transport;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.inprocess.Hub;
import dev.headrace.transport.ucx.JobKey;
import dev.headrace.transport.ucx.UcxSettings;
import dev.headrace.transport.ucx.UcxTransport;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Prints what the transports move per second between two threads of one JVM; a program, not a test. Argument: the
 * directory of UCX.
 */
public final class ThroughputReport {
    private static final long REGION_BYTES = 64 << 20;
    private static final int UNDERWAY = 8;
    private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    private ThroughputReport() {}

    public static void main(String[] arguments) throws Exception {
        for (int round = 0; round < 2; round++) {
            copies();
            for (int bodyBytes : new int[] {4 << 10, 64 << 10, 1 << 20, 4 << 20}) {
                Hub hub = new Hub(Duration.ofSeconds(5));
                report("in-process", bodyBytes, (self, _) -> hub.transport(self));
                JobKey key = JobKey.random();
                Path ucx = Path.of(arguments[0]);
                for (boolean shared : new boolean[] {false, true}) {
                    UcxSettings settings =
                            UcxSettings.of(ucx, "lo", key, Duration.ofSeconds(8), Duration.ofSeconds(5), shared);
                    report(
                            shared ? "shared slabs" : "ucx tcp",
                            bodyBytes,
                            (self, region) -> new UcxTransport(self, settings, region));
                }
            }
        }
    }

    private interface Maker {
        Transport make(PeerId self, SharedRegion region);
    }

    /** A copy out of a peer's memory, mapped against read, with warm pages and with ones this process never saw. */
    private static void copies() throws IOException {
        try (SharedRegion source = SharedRegion.create(REGION_BYTES);
                SharedRegion target = SharedRegion.create(REGION_BYTES);
                FileChannel channel = SharedRegion.openOf(source.pid(), source.fileDescriptor());
                Arena arena = Arena.ofShared()) {
            source.segment().fill((byte) 1);
            target.segment().fill((byte) 2);
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, REGION_BYTES, arena);
            for (String pages : new String[] {"cold", "warm", "warm"}) {
                long started = System.nanoTime();
                for (long at = 0; at < REGION_BYTES; at += 1 << 20) {
                    MemorySegment.copy(mapped, at, target.segment(), at, 1 << 20);
                }
                print("mmap + copy, " + pages, 1 << 20, REGION_BYTES, System.nanoTime() - started);
            }
            for (String pages : new String[] {"cold", "warm", "warm"}) {
                long started = System.nanoTime();
                for (long at = 0; at < REGION_BYTES; at += 1 << 20) {
                    ByteBuffer buffer = target.segment().asSlice(at, 1 << 20).asByteBuffer();
                    while (buffer.hasRemaining()) {
                        channel.read(buffer, at + buffer.position());
                    }
                }
                print("pread, " + pages, 1 << 20, REGION_BYTES, System.nanoTime() - started);
            }
        }
    }

    private static void report(String name, int bodyBytes, Maker maker) throws InterruptedException {
        PeerId low = new PeerId(0, 1);
        PeerId high = new PeerId(1, 1);
        try (SharedRegion from = SharedRegion.create(REGION_BYTES);
                SharedRegion to = SharedRegion.create(REGION_BYTES)) {
            from.segment().fill((byte) 1);
            to.segment().fill((byte) 2);
            Transport sender = maker.make(low, from);
            Transport receiver = maker.make(high, to);
            AtomicBoolean end = new AtomicBoolean();
            Receiver sink = new Receiver(receiver, to.segment(), bodyBytes);
            Thread other = Thread.ofPlatform().start(() -> {
                receiver.start(sink);
                receiver.connect(low, sender.address());
                while (!end.get()) {
                    if (receiver.progress() == 0) {
                        receiver.await(TimeUnit.MILLISECONDS.toNanos(100));
                    }
                }
                receiver.close();
            });
            Sender source = new Sender(sender, high, from.segment(), bodyBytes);
            sender.start(source);
            sender.connect(high, receiver.address());
            long started = source.run(RUN_NANOS);
            print(name, bodyBytes, source.acknowledged * bodyBytes, System.nanoTime() - started);
            end.set(true);
            receiver.wakeUp();
            other.join();
            sender.close();
        }
    }

    private static void print(String name, long bodyBytes, long bytes, long nanos) {
        System.out.printf(
                Locale.ROOT, "%-20s %8d bytes per body: %6.2f GB/s%n", name, bodyBytes, (double) bytes / nanos);
    }

    private abstract static class Silent implements TransportListener {
        @Override
        public void onConnected(PeerId peer) {}

        @Override
        public void onMessage(PeerId from, MemorySegment header) {}

        @Override
        public @Nullable Landing onBody(PeerId from, MemorySegment header, long bodyBytes) {
            return null;
        }

        @Override
        public void onSent(long token) {}

        @Override
        public void onPeerLost(PeerId peer, HeadraceException cause) {}
    }

    private static final class Sender extends Silent {
        private final Transport transport;
        private final PeerId peer;
        private final MemorySegment memory;
        private final int bodyBytes;
        private boolean connected;
        private long sent;
        private long acknowledged;

        Sender(Transport transport, PeerId peer, MemorySegment memory, int bodyBytes) {
            this.transport = transport;
            this.peer = peer;
            this.memory = memory;
            this.bodyBytes = bodyBytes;
        }

        /** Returns when the first body went out. */
        long run(long nanos) {
            MemorySegment header = MemorySegment.ofArray(new byte[64]);
            long started = System.nanoTime();
            while (!connected || System.nanoTime() - started < nanos) {
                if (transport.progress() == 0) {
                    transport.await(TimeUnit.MILLISECONDS.toNanos(100));
                }
                if (!connected) {
                    started = System.nanoTime();
                }
                while (connected && sent - acknowledged < UNDERWAY) {
                    long at = sent % (REGION_BYTES / bodyBytes) * bodyBytes;
                    transport.send(peer, header, memory.asSlice(at, bodyBytes), ++sent);
                }
            }
            return started;
        }

        @Override
        public void onConnected(PeerId to) {
            connected = true;
        }

        @Override
        public void onMessage(PeerId from, MemorySegment header) {
            acknowledged++;
        }
    }

    private static final class Receiver extends Silent {
        private final Transport transport;
        private final MemorySegment memory;
        private final int bodyBytes;
        private long landed;

        Receiver(Transport transport, MemorySegment memory, int bodyBytes) {
            this.transport = transport;
            this.memory = memory;
            this.bodyBytes = bodyBytes;
        }

        @Override
        public Landing onBody(PeerId from, MemorySegment header, long length) {
            MemorySegment target = memory.asSlice(landed++ % (REGION_BYTES / bodyBytes) * bodyBytes, bodyBytes);
            return new Landing() {
                @Override
                public MemorySegment segment() {
                    return target;
                }

                @Override
                public void landed() {
                    transport.send(from, MemorySegment.ofArray(new byte[16]), null, 0);
                }

                @Override
                public void failed(HeadraceException cause) {}
            };
        }
    }
}
