package dev.headrace.bench;

import static dev.headrace.bench.RandomColumn.bounded;
import static dev.headrace.bench.RandomColumn.decimal;
import static dev.headrace.bench.RandomColumn.ints;
import static dev.headrace.bench.RandomColumn.list;
import static dev.headrace.bench.RandomColumn.longs;
import static dev.headrace.bench.RandomColumn.struct;
import static dev.headrace.bench.RandomColumn.text;
import static dev.headrace.bench.RandomColumn.words;

import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What the columns of the input are; the first one is the key. */
enum TableKind {
    INT32,
    INT64,
    /** Text of 4 to 24 bytes. */
    STRING,
    /** The 16 columns of TPC-H's lineitem, with values of the right size and variety. */
    LINEITEM,
    /** A key of 64 bits, then lists, structs, and lists of structs, an eighth of them null. */
    NESTED;

    private static final DataType DATE = new DataType.Fixed(4, new Meaning.Date());
    private static final DataType LONG = new DataType.Fixed(8, new Meaning.SignedInt());
    private static final DataType INT = new DataType.Fixed(4, new Meaning.SignedInt());

    /** Whether the table has as many columns as one likes. */
    boolean hasAnyColumns() {
        return this != LINEITEM;
    }

    List<RandomColumn> columns(int count) {
        return switch (this) {
            case INT32 -> alike(count, RandomColumn::ints);
            case INT64 -> alike(count, RandomColumn::longs);
            case STRING -> alike(count, name -> text(name, 4, 24));
            case LINEITEM -> lineitem();
            case NESTED -> nested(count);
        };
    }

    private static List<RandomColumn> alike(int count, Function<String, RandomColumn> column) {
        List<RandomColumn> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(column.apply("c" + i));
        }
        return columns;
    }

    private static List<RandomColumn> nested(int count) {
        List<RandomColumn> columns = new ArrayList<>(List.of(longs("c0")));
        for (int i = 1; i < count; i++) {
            String name = "c" + i;
            columns.add(
                    switch (i % 3) {
                        case 1 -> list(name, 4, ints("item"));
                        case 2 -> struct(name, longs("a"), text("b", 0, 12));
                        default -> list(name, 2, struct("item", ints("a"), text("b", 0, 12)));
                    });
        }
        return columns;
    }

    private static List<RandomColumn> lineitem() {
        return List.of(
                bounded("l_orderkey", LONG, 6_000_000),
                bounded("l_partkey", LONG, 200_000),
                bounded("l_suppkey", LONG, 10_000),
                bounded("l_linenumber", INT, 7),
                decimal("l_quantity", 5_000),
                decimal("l_extendedprice", 10_000_000),
                decimal("l_discount", 11),
                decimal("l_tax", 9),
                words("l_returnflag", "A", "N", "R"),
                words("l_linestatus", "F", "O"),
                bounded("l_shipdate", DATE, 2_526),
                bounded("l_commitdate", DATE, 2_466),
                bounded("l_receiptdate", DATE, 2_554),
                words("l_shipinstruct", "COLLECT COD", "DELIVER IN PERSON", "NONE", "TAKE BACK RETURN"),
                words("l_shipmode", "AIR", "FOB", "MAIL", "RAIL", "REG AIR", "SHIP", "TRUCK"),
                text("l_comment", 10, 43));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
