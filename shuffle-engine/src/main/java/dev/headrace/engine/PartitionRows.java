package dev.headrace.engine;

import dev.headrace.table.Column;
import java.util.List;

/**
 * The rows of one complete partition, a group at a time. A place is a number that only the implementation understands:
 * 0 is the beginning, every group says where the next one begins, and what begins at a place is always the same rows.
 */
sealed interface PartitionRows permits OrderedRows, ShuffledRows {

    /** The place after the last group. */
    long end();

    /** Rows from a place before the end on, as columns; the caller closes them. */
    Group group(long place);

    /**
     * Columns of some rows; closing it frees the memory under them.
     *
     * @param end the place of the next group
     */
    record Group(List<Column> columns, long rows, long end, Held held) implements AutoCloseable {
        @Override
        public void close() {
            held.close();
        }
    }
}
