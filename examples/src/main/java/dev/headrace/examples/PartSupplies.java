package dev.headrace.examples;

import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The build side of the join: available quantity by part and supplier. One thread. */
record PartSupplies(Map<Key, Long> quantities) {

    private static final List<String> PARTSUPP = List.of("ps_partkey", "ps_suppkey", "ps_availqty");
    private static final List<String> LINEITEM = List.of("l_partkey", "l_suppkey", "l_orderkey", "l_linenumber");

    static PartSupplies read(PartitionTable partsupp) {
        Map<Key, Long> quantities = new HashMap<>();
        partsupp.forEach(PARTSUPP, row -> quantities.put(new Key(row[0], row[1]), row[2]));
        return new PartSupplies(quantities);
    }

    /** Writes one line per row of lineitem that has a match, and returns how many there were. */
    long join(PartitionTable lineitem, PrintWriter out) {
        long[] joined = new long[1];
        lineitem.forEach(LINEITEM, row -> {
            Long quantity = quantities.get(new Key(row[0], row[1]));
            if (quantity != null) {
                out.println(row[2] + "," + row[3] + "," + row[0] + "," + row[1] + "," + quantity);
                joined[0]++;
            }
        });
        return joined[0];
    }

    record Key(long part, long supplier) {}
}
