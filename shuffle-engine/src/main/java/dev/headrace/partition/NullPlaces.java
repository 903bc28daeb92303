package dev.headrace.partition;

import dev.headrace.table.Column;
import java.util.Arrays;

/** Places in a column without a type: every row is null. */
final class NullPlaces implements Places {
    @Override
    public void read(Column column, long from, int rows, int[] places) {
        Arrays.fill(places, 0, rows, NULL);
    }
}
