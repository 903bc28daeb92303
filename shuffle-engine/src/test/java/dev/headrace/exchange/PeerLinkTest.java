package dev.headrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.MemoryTier;
import dev.headrace.memory.SharedRegion;
import dev.headrace.memory.SlabPool;
import dev.headrace.transport.PeerId;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A grant is used by a frame that fits what the peer has reserved for it, whatever happened to the queue since. */
final class PeerLinkTest {
    private static final int SLAB = 4096;
    private static final int SLABS = 64;

    private final AtomicLong onTheirWay = new AtomicLong();
    private final PeerLink link = new PeerLink(new PeerId(1, 1), SLAB);
    private SharedRegion region;
    private SlabPool pool;

    @BeforeEach
    void open() {
        region = SharedRegion.create((long) SLABS * SLAB);
        pool = new SlabPool(
                region, SLAB, new SlabPool.SetAside(0, 0, 0), new MemoryBudget(MemoryTier.HOST, (long) SLABS * SLAB));
    }

    @AfterEach
    void close() {
        link.close();
        assertThat(onTheirWay).hasValue(0);
        pool.close();
        region.close();
    }

    private OutFrame frame(long wireId, long bytes) {
        return new OutFrame(1, wireId, pool.acquire(SlabPool.Use.PACK, bytes, Duration.ZERO), bytes, onTheirWay);
    }

    private OutFrame queued(long wireId, long bytes) {
        OutFrame frame = frame(wireId, bytes);
        link.queue(frame);
        return frame;
    }

    @Test
    void shouldSendTheRunThatTheGrantWasAskedFor() {
        OutFrame small = queued(1, 3 * SLAB);
        OutFrame large = queued(2, 7 * SLAB);
        assertThat(link.takeSpillable()).isSameAs(large);
        link.addAway(large);
        assertThat(link.takeSpillable()).isSameAs(small);
        link.addAway(small);
        assertThat(link.isBack(large)).isFalse();
        link.queue(large);
        assertThat(link.isBack(small)).isFalse();
        link.queue(small);

        assertThat(link.takeQueued(3 * SLAB)).isSameAs(small);
        assertThat(link.takeQueued(3 * SLAB)).as("the larger run doesn't fit").isNull();
        assertThat(link.takeQueued(7 * SLAB)).isSameAs(large);
        small.close();
        large.close();
    }

    @Test
    void shouldSendNothingForARunWhoseShuffleIsOver() {
        queued(1, 3 * SLAB);
        OutFrame large = queued(2, 7 * SLAB);
        link.dropQueued(1);
        assertThat(link.takeQueued(3 * SLAB)).isNull();
        assertThat(link.takeQueued(7 * SLAB)).isSameAs(large);
        large.close();
    }

    @Test
    void shouldOweAFrameThatIsBeingMovedOnlyIfItFitsTheGrant() {
        OutFrame run = queued(1, 5 * SLAB);
        OutFrame single = queued(1, SLAB);
        assertThat(link.takeSpillable()).isSameAs(run);
        link.addAway(run);

        assertThat(link.owe(SLAB)).as("only a run is away").isFalse();
        assertThat(link.owe(4 * SLAB)).isFalse();
        assertThat(link.owe(5 * SLAB)).isTrue();
        assertThat(link.owe(5 * SLAB)).as("it has been granted already").isFalse();
        assertThat(link.isBack(run)).as("to be sent at once").isTrue();
        assertThat(link.takeQueued(SLAB)).isSameAs(single);
        run.close();
        single.close();
    }

    @Test
    void shouldLookForOneRunAtATimeAndForTheNextWhenTheSearchHasEnded() {
        link.want(3 * SLAB);
        link.want(5 * SLAB);
        assertThat(link.takeWantedRun()).isEqualTo(3 * SLAB);
        assertThat(link.takeWantedRun()).isZero();
        link.endSearch();
        assertThat(link.takeWantedRun()).isEqualTo(5 * SLAB);
    }
}
