package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * What arrived against what was promised, for the partitions of one owner. Counts a block once whoever sends it.
 * Guarded by the lock of its inbox.
 */
final class Completion {
    private final Owners owners;
    private final int firstPartition;
    private final long[] received;
    private final long[] promised;
    private final boolean[] complete;
    private final int[] order;
    private int completed;
    private final Roaring64Bitmap blocks = new Roaring64Bitmap();
    private final Roaring64Bitmap promisedBlocks = new Roaring64Bitmap();
    private final boolean[] sources;
    private int sourcesLeft;
    private final List<Manifest.SchemaOfBatch> schemas = new ArrayList<>();

    Completion(Owners owners, int rank) {
        this.owners = owners;
        this.firstPartition = owners.first(rank);
        int partitions = owners.count(rank);
        received = new long[partitions];
        promised = new long[partitions];
        complete = new boolean[partitions];
        order = new int[partitions];
        sources = new boolean[owners.ranks()];
        sourcesLeft = owners.ranks();
    }

    /** Counts a block; false if it was counted before. */
    boolean addBlock(long key) {
        if (blocks.contains(key)) {
            return false;
        }
        blocks.add(key);
        return true;
    }

    void addRows(int partition, long rows) {
        received[partition - firstPartition] += rows;
    }

    /** Takes a source's promise once; true if it was the last one missing. */
    boolean addManifest(Manifest manifest) {
        if (manifest.source() < 0 || manifest.source() >= sources.length || manifest.rows().length != promised.length) {
            throw HeadraceException.corruptData("manifest of rank " + manifest.source() + " for "
                    + manifest.rows().length + " partitions, expected " + promised.length);
        }
        if (sources[manifest.source()]) {
            return false;
        }
        sources[manifest.source()] = true;
        for (int i = 0; i < promised.length; i++) {
            promised[i] += manifest.rows()[i];
        }
        promisedBlocks.or(manifest.blocks());
        schemas.addAll(manifest.schemas());
        return --sourcesLeft == 0;
    }

    boolean allPromised() {
        return sourcesLeft == 0;
    }

    List<Manifest.SchemaOfBatch> schemas() {
        return schemas;
    }

    /** Marks the partition complete if it is; an error if more arrived than was promised. */
    boolean check(int partition) {
        int i = partition - firstPartition;
        if (received[i] > promised[i]) {
            throw HeadraceException.corruptData(
                    owners.name(partition) + ": promised " + promised[i] + " rows, received " + received[i] + " rows");
        }
        if (complete[i] || received[i] != promised[i]) {
            return false;
        }
        complete[i] = true;
        order[completed++] = partition;
        return true;
    }

    boolean isComplete(int partition) {
        return complete[partition - firstPartition];
    }

    int completed() {
        return completed;
    }

    boolean allComplete() {
        return completed == received.length && sourcesLeft == 0;
    }

    int[] order(int from) {
        return Arrays.copyOfRange(order, Math.min(from, completed), completed);
    }

    long receivedRows(int partition) {
        return received[partition - firstPartition];
    }

    /** The rows of every partition, in ascending order. */
    long[] promisedRows() {
        if (sourcesLeft > 0) {
            throw HeadraceException.invalidInput("the rows of partitions are not known yet: " + missing());
        }
        return promised.clone();
    }

    /** What is still missing, for an error message. */
    String missing() {
        if (sourcesLeft > 0) {
            List<Integer> silent = new ArrayList<>();
            for (int rank = 0; rank < sources.length; rank++) {
                if (!sources[rank]) {
                    silent.add(rank);
                }
            }
            return "ranks " + silent + " have not finished";
        }
        Roaring64Bitmap lost = promisedBlocks.clone();
        lost.andNot(blocks);
        for (int i = 0; i < promised.length; i++) {
            if (!complete[i]) {
                return owners.name(firstPartition + i) + ": promised " + promised[i] + " rows, received "
                        + received[i] + " rows"
                        + (lost.isEmpty()
                                ? ""
                                : "; " + lost.getLongCardinality() + " blocks missing, the first is "
                                        + BlockKey.toString(lost.first()));
            }
        }
        return "nothing is missing";
    }
}
