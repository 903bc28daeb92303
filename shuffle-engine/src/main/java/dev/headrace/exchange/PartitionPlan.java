package dev.headrace.exchange;

import dev.headrace.HeadraceException;
import java.util.List;

/**
 * The entries of one partition in (batch, piece, block) order. The order never changes once the partition is complete;
 * where the entries lie does, whenever {@code moves} grows.
 */
public record PartitionPlan(int partition, long moves, List<PlannedEntry> entries) {

    /** Sorts the entries, and refuses to go on if they are not the rows that were counted when they came. */
    static PartitionPlan of(int partition, long moves, List<PlannedEntry> entries, long rows) {
        entries.sort(null);
        long found = entries.stream().mapToLong(PlannedEntry::rows).sum();
        if (found != rows) {
            throw HeadraceException.corruptData(
                    "partition " + partition + ": " + rows + " rows arrived, " + found + " rows are there");
        }
        return new PartitionPlan(partition, moves, entries);
    }
}
