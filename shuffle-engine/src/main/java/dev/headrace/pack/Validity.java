package dev.headrace.pack;

import dev.headrace.table.Column;

/** Which rows are valid; costs nothing per row as long as no source has a bitmap. One thread; reused. */
final class Validity {
    private final Bits bits = new Bits();
    private boolean kept;
    private long rows;

    void reset() {
        bits.reset();
        kept = false;
        rows = 0;
    }

    void addRows(Column source, int[] order, int from, int to) {
        if (source.validity() == null) {
            addValid(to - from);
        } else {
            keep();
            bits.appendRows(source.validity(), order, from, to);
            rows += to - from;
        }
    }

    void addRange(Column source, long start, long count) {
        if (source.validity() == null) {
            addValid(count);
        } else {
            keep();
            bits.appendRange(source.validity(), start, count);
            rows += count;
        }
    }

    long rows() {
        return rows;
    }

    boolean isValid(long row) {
        return !kept || bits.get(row);
    }

    boolean hasNulls() {
        return kept && bits.zeros() > 0;
    }

    /** How many of the rows so far are null. */
    long nulls() {
        return kept ? bits.zeros() : 0;
    }

    /** The first null at or after the row, or -1. */
    long nextNull(long from) {
        return kept ? bits.nextZero(from) : -1;
    }

    long bytes() {
        return hasNulls() ? bits.bytes() : 0;
    }

    void write(BlockOutput out) {
        long at = out.place(bytes());
        if (hasNulls()) {
            bits.write(out.target(), at);
        }
    }

    private void addValid(long count) {
        if (kept) {
            bits.appendOnes(count);
        }
        rows += count;
    }

    private void keep() {
        if (!kept) {
            kept = true;
            bits.appendOnes(rows);
        }
    }
}
