package dev.headrace.partition;

/**
 * One key of an order; immutable. NaN lies next to the nulls, between them and the numbers, as in Arrow's own sort.
 *
 * @param column the name of the key column
 * @param descending whether large values come first
 * @param nullsFirst whether nulls come before all values; else after them, whatever the direction
 */
public record SortKey(String column, boolean descending, boolean nullsFirst) {

    /** The key in ascending order with the nulls at the end. */
    public static SortKey ascending(String column) {
        return new SortKey(column, false, false);
    }
}
