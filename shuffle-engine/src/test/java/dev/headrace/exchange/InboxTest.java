package dev.headrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.memory.Clock;
import dev.headrace.memory.Deadline;
import dev.headrace.memory.MemoryBudget;
import dev.headrace.memory.MemoryTier;
import dev.headrace.memory.SharedRegion;
import dev.headrace.memory.Slab;
import dev.headrace.memory.SlabPool;
import dev.headrace.metrics.Statistics;
import dev.headrace.pack.FrameHeader;
import dev.headrace.pack.FrameWriter;
import dev.headrace.pack.Layout;
import dev.headrace.spill.FileSpillStore;
import dev.headrace.spill.SpillStore;
import dev.headrace.transport.PeerId;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** What a frame or a manifest says of itself must agree with who sent it, or the shuffle fails with both named. */
final class InboxTest {
    private static final int SLAB = 1 << 16;
    private static final long WIRE_ID = 7;
    private static final PeerId PEER = new PeerId(1, 4);

    @TempDir
    Path folder;

    private SharedRegion region;
    private SlabPool pool;
    private SpillStore disk;
    private Inbox inbox;

    @BeforeEach
    void open() {
        region = SharedRegion.create(8L * SLAB);
        pool = new SlabPool(region, SLAB, new SlabPool.SetAside(0, 0, 0), new MemoryBudget(MemoryTier.HOST, 8L * SLAB));
        disk = new FileSpillStore(List.of(folder), new MemoryBudget(MemoryTier.DISK, Long.MAX_VALUE));
        Statistics statistics = new Statistics();
        Regrouper regrouper = new Regrouper(pool, disk, SLAB, 1024, statistics);
        Deadline never = Deadline.after(Duration.ofHours(1), Clock.system());
        inbox = new Inbox(WIRE_ID, 0, new Owners(2, 2), never, regrouper, statistics);
    }

    @AfterEach
    void close() {
        inbox.close();
        disk.close();
        pool.close();
        region.close();
    }

    private void accept(FrameHeader header, Manifest manifest) {
        Slab slab = pool.acquire(SlabPool.Use.LAND, SLAB, Duration.ZERO);
        byte[] page = manifest.toPages(SLAB / 2).getFirst();
        FrameWriter writer = new FrameWriter(Layout.of(List.of()), slab.segment());
        writer.nextBlock(page.length).copyFrom(MemorySegment.ofArray(page));
        inbox.accept(PEER, slab, writer.seal(header));
    }

    private static FrameHeader header(long wireId, int rank, long incarnation) {
        return new FrameHeader(FrameHeader.Kind.MANIFEST, wireId, rank, incarnation, 0);
    }

    private static Manifest manifest(int source) {
        return new Manifest(source, List.of(), new Roaring64Bitmap(), new long[1]);
    }

    private void shouldHaveFailed(String... words) {
        assertThatThrownBy(inbox::checkFailure).isInstanceOfSatisfying(HeadraceException.class, e -> {
            assertThat(e.category()).isEqualTo(Category.CORRUPT_DATA);
            assertThat(e.rank()).isEqualTo(1);
            assertThat(e.getMessage()).contains(words);
        });
    }

    @Test
    void shouldTakeAManifestOfItsSender() {
        accept(header(WIRE_ID, 1, 4), manifest(1));
        inbox.checkFailure();
    }

    @Test
    void shouldRefuseAFrameOfAnotherShuffle() {
        accept(header(8, 1, 4), manifest(1));
        shouldHaveFailed("shuffle 8", "shuffle 7");
    }

    @Test
    void shouldRefuseAFrameOfAnotherRankOrLife() {
        accept(header(WIRE_ID, 1, 3), manifest(1));
        shouldHaveFailed("rank 1, incarnation 3", "rank 1, incarnation 4");
    }

    @Test
    void shouldRefuseAManifestThatAnnouncesMoreThanItHas() {
        byte[] bytes = manifest(1).toBytes();
        for (int at = 4; at < 12; at += 4) {
            byte[] forged = bytes.clone();
            forged[at + 3] = 0x7F;
            assertThatThrownBy(() -> Manifest.fromBytes(1, forged))
                    .isInstanceOfSatisfying(
                            HeadraceException.class,
                            e -> assertThat(e.category()).isEqualTo(Category.CORRUPT_DATA));
        }
    }

    @Test
    void shouldRefuseTheManifestOfAnotherRank() {
        accept(header(WIRE_ID, 1, 4), manifest(0));
        shouldHaveFailed("rank 1 sent the manifest of rank 0");
    }
}
