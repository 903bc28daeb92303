package dev.headrace.bench;

/**
 * What each rank is given, and in how many partitions it is to come out.
 *
 * @param columns how many columns, where the kind leaves it open
 * @param rows rows of one rank
 * @param inputPartitions tables that the rows of one rank come in
 * @param batchRows the most rows of one record batch; a table is cut into so many batches
 * @param partitions all partitions that come out, of all ranks
 * @param prePartitioned whether the rows of a batch lie in the order of their partitions already
 */
record Workload(
        TableKind kind,
        int columns,
        long rows,
        int inputPartitions,
        int batchRows,
        int partitions,
        boolean prePartitioned) {

    /** Batches of one rank. */
    int batches() {
        return inputPartitions * Math.toIntExact((rowsOfTable(0) + batchRows - 1) / batchRows);
    }

    /** Rows of a batch of one rank; 0 if its table is shorter than the first. */
    int rowsOfBatch(int batch) {
        int batchesOfTable = batches() / inputPartitions;
        long before = (long) (batch % batchesOfTable) * batchRows;
        return Math.clamp(rowsOfTable(batch / batchesOfTable) - before, 0, batchRows);
    }

    /** The first tables have one row more if they can't all be alike. */
    private long rowsOfTable(int table) {
        return rows / inputPartitions + (table < rows % inputPartitions ? 1 : 0);
    }
}
