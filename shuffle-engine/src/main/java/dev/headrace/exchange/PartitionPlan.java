package dev.headrace.exchange;

import java.util.List;

/**
 * The entries of one partition in (batch, piece, block) order. The order never changes once the partition is complete;
 * where the entries lie does, whenever {@code moves} grows.
 */
public record PartitionPlan(int partition, long moves, List<PlannedEntry> entries) {}
