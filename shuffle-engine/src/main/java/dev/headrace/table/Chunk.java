package dev.headrace.table;

import java.util.List;

/**
 * The rows of one record batch, as views that live until the reader's next call; owns nothing.
 *
 * @param rows also right where there are no columns
 */
public record Chunk(long rows, List<Column> columns) {}
