package dev.headrace.engine;

/**
 * The answer to {@link Shuffle#insert}.
 *
 * @param accepted false if the rank is full: offer the same batch again
 * @param freeBytes how much this rank can take now
 * @param rows rows of the batch, if accepted
 */
public record InsertResult(boolean accepted, long freeBytes, long rows) {}
