package dev.headrace.transport;

import dev.headrace.HeadraceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Endless traffic with all peers: a few bodies under way to each, acknowledged by a message each, every byte checked.
 * Owner thread of the transport only.
 */
public final class Traffic implements TransportListener {
    private static final int UNDERWAY_PER_PEER = 4;
    private static final int SLOT_BYTES = 1 << 20;
    private static final int[] LENGTHS = {100, 5_000, 70_000, 300_000, SLOT_BYTES};
    private static final long ACKNOWLEDGEMENT = -1;

    private final Transport transport;
    private final Consumer<String> report;
    private final List<MemorySegment> sources = new ArrayList<>();
    private final Deque<MemorySegment> slots = new ArrayDeque<>();
    private final Map<PeerId, Integer> underway = new HashMap<>();
    private long turn;
    private long received;
    private long damaged;
    private boolean quiet;

    /** Traffic out of, and into, the given memory of at least 24 MiB; connections and losses are reported as text. */
    public Traffic(Transport transport, MemorySegment memory, Consumer<String> report) {
        this.transport = transport;
        this.report = report;
        for (int i = 0; i < LENGTHS.length; i++) {
            sources.add(Pattern.fill(memory.asSlice((long) i * SLOT_BYTES, LENGTHS[i]), i));
        }
        for (long at = (long) LENGTHS.length * SLOT_BYTES; at + SLOT_BYTES <= memory.byteSize(); at += SLOT_BYTES) {
            slots.add(memory.asSlice(at, SLOT_BYTES));
        }
    }

    /** Bodies received whole. */
    public long received() {
        return received;
    }

    public long damaged() {
        return damaged;
    }

    /** Sends no new bodies from here on. */
    public void quiet() {
        quiet = true;
    }

    /** Fills up what is under way to each peer. */
    public int sendMore() {
        int sent = 0;
        for (Map.Entry<PeerId, Integer> each : quiet ? List.<Map.Entry<PeerId, Integer>>of() : underway.entrySet()) {
            while (each.getValue() < UNDERWAY_PER_PEER) {
                each.setValue(each.getValue() + 1);
                int choice = (int) (turn++ % LENGTHS.length);
                transport.send(each.getKey(), Pattern.header(choice, 100), sources.get(choice), turn);
                sent++;
            }
        }
        return sent;
    }

    @Override
    public void onConnected(PeerId peer) {
        underway.put(peer, 0);
        report.accept("CONNECTED " + peer.rank() + " " + peer.incarnation());
    }

    @Override
    public void onMessage(PeerId from, MemorySegment header) {
        underway.computeIfPresent(from, (_, count) -> count - 1);
    }

    @Override
    public @Nullable Landing onBody(PeerId from, MemorySegment header, long bodyBytes) {
        if (Pattern.headerDamage(header) != null) {
            damaged++;
        }
        long seed = header.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        MemorySegment slot = slots.removeLast();
        return new Landing() {
            @Override
            public MemorySegment segment() {
                return slot;
            }

            @Override
            public void landed() {
                if (Pattern.damage(slot.asSlice(0, bodyBytes), seed) != null) {
                    damaged++;
                }
                received++;
                slots.addLast(slot);
                transport.send(from, Pattern.header(ACKNOWLEDGEMENT, 16), null, 0);
            }

            @Override
            public void failed(HeadraceException cause) {
                slots.addLast(slot);
            }
        };
    }

    @Override
    public void onSent(long token) {
        // what counts is the acknowledgement
    }

    @Override
    public void onPeerLost(PeerId peer, HeadraceException cause) {
        underway.remove(peer);
        report.accept("LOST " + peer.rank() + " " + peer.incarnation() + " " + cause.getMessage());
    }
}
