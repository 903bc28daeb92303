package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.List;

/**
 * Measures what rows of one type cost when they are packed, in bits: {@link #fixedBits} for every row and what varies
 * on top. A validity bit is always counted. Stateless: any thread.
 */
abstract sealed class Gauge
        permits FixedGauge,
                BinaryGauge,
                ViewGauge,
                ListGauge,
                FixedListGauge,
                StructGauge,
                UnionGauge,
                DictionaryGauge,
                RunEndGauge {
    /** Where sums of bits stop, so that absurd types don't overflow: more than any memory. */
    private static final long MOST_BITS = 1L << 56;

    private final long fixedBits;
    private final boolean varies;

    Gauge(long fixedBits, boolean varies) {
        this.fixedBits = Math.min(fixedBits, MOST_BITS);
        this.varies = varies;
    }

    /** What each row costs at least. */
    final long fixedBits() {
        return fixedBits;
    }

    /** Whether rows differ; if not, {@link #add} does nothing. */
    final boolean varies() {
        return varies;
    }

    /** Adds to {@code bits[i]} what row {@code from + i} costs over {@link #fixedBits}. */
    void add(Column column, long from, int rows, long[] bits) {
        for (int i = 0; i < rows; i++) {
            bits[i] += varying(column, from + i, 1);
        }
    }

    /** What a range of rows costs over {@link #fixedBits} of each. */
    abstract long varying(Column column, long from, long rows);

    /** What a range of rows costs. */
    final long total(Column column, long from, long rows) {
        return product(fixedBits, rows) + (varies ? varying(column, from, rows) : 0);
    }

    static Gauge of(DataType type) {
        return switch (type) {
            case DataType.Null() -> new FixedGauge(0);
            case DataType.Bool() -> new FixedGauge(2);
            case DataType.Fixed fixed -> new FixedGauge(8L * fixed.widthBytes() + 1);
            case DataType.Binary binary -> new BinaryGauge(binary.large() ? 8 : 4);
            case DataType.View ignored -> new ViewGauge();
            case DataType.Varied list -> new ListGauge(list.large() ? 8 : 4, false, of(list.item()));
            case DataType.ListView list -> new ListGauge(list.large() ? 8 : 4, true, of(list.item()));
            case DataType.FixedList(int size, DataType item) -> new FixedListGauge(size, of(item));
            case DataType.Struct struct -> new StructGauge(of(struct.fields()));
            case DataType.Union union ->
                union.dense()
                        ? new UnionGauge(union.codes(), of(union.children()))
                        : new StructGauge(8, of(union.children()));
            case DataType.Dictionary dictionary -> new DictionaryGauge(dictionary, of(dictionary.values()));
            case DataType.RunEnd runEnd -> new RunEndGauge(runEnd.endWidthBytes(), of(runEnd.values()));
        };
    }

    /** What each row costs at least over several columns. */
    static long fixedBits(List<Gauge> gauges) {
        long sum = 0;
        for (Gauge gauge : gauges) {
            sum = Math.min(MOST_BITS, sum + gauge.fixedBits());
        }
        return sum;
    }

    /** A product of two sizes that stops where sums of bits stop. */
    static long product(long bits, long times) {
        return Math.unsignedMultiplyHigh(bits, times) != 0 || bits * times < 0
                ? MOST_BITS
                : Math.min(MOST_BITS, bits * times);
    }

    private static List<Gauge> of(List<DataType> types) {
        return types.stream().map(Gauge::of).toList();
    }
}
