package dev.headrace.ray;

/** One batch where ranks can reach it; made by a {@link RankHost}, owned by the driver until the batch is accepted. */
interface StoredBatch {

    long bytes();
}
