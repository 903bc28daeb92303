package dev.headrace.engine;

import dev.headrace.exchange.Manifest;
import dev.headrace.memory.Deadline;
import dev.headrace.pack.FrameWriter;
import dev.headrace.pack.Layout;
import java.time.Duration;
import java.util.List;

/** Sends every owner the manifest of what it was sent. */
final class Promise {
    private Promise() {}

    /** Gives the rows promised to all owners together. */
    static long send(
            ShuffleSpec spec,
            EngineConfig config,
            OpenFrames frames,
            List<Manifest.SchemaOfBatch> schemas,
            Deadline deadline) {
        long pageBytes = EngineConfig.SLAB_BYTES - FrameWriter.frameBytes(Layout.of(List.of()), 0);
        long rows = 0;
        for (int owner = 0; owner < config.ranks(); owner++) {
            Manifest manifest = new Manifest(config.rank(), schemas, frames.blocksFor(owner), frames.rowsFor(owner));
            rows += manifest.totalRows();
            for (byte[] page : manifest.toPages(pageBytes)) {
                frames.sendManifestPage(owner, page, Duration.ofNanos(Math.max(0, deadline.remainingNanos())));
            }
        }
        return rows;
    }
}
