package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.engine.Rule;
import dev.headrace.partition.SortKey;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link Rule} in the types that cross languages, as {@link RankActor#open} takes it; immutable, checked by
 * {@link #rule}.
 *
 * @param kind {@code hash}, {@code range}, {@code random} or {@code round_robin}
 * @param keys names of the key columns, in their order
 * @param order for a range, one byte per key: 1 if descending, plus 2 if nulls come first
 * @param boundaries for a range, see {@link Rule.Range}
 * @param seed for chance
 */
record RuleWords(String kind, String[] keys, byte[] order, byte[] boundaries, long seed) {
    private static final byte[] NONE = {};
    private static final int DESCENDING = 1;
    private static final int NULLS_FIRST = 2;

    static RuleWords of(Rule rule) {
        return switch (rule) {
            case Rule.Hash(List<String> keys) -> new RuleWords("hash", keys.toArray(String[]::new), NONE, NONE, 0);
            case Rule.Range range ->
                new RuleWords(
                        "range", range.names().toArray(String[]::new), order(range.keys()), range.boundaries(), 0);
            case Rule.Random random -> new RuleWords("random", new String[0], NONE, NONE, random.seed());
            case Rule.RoundRobin ignored -> new RuleWords("round_robin", new String[0], NONE, NONE, 0);
        };
    }

    static byte[] order(List<SortKey> keys) {
        byte[] order = new byte[keys.size()];
        for (int i = 0; i < order.length; i++) {
            SortKey key = keys.get(i);
            order[i] = (byte) ((key.descending() ? DESCENDING : 0) + (key.nullsFirst() ? NULLS_FIRST : 0));
        }
        return order;
    }

    /** The rule; INVALID_INPUT if there is none such. */
    Rule rule() {
        return switch (kind) {
            case "hash" -> new Rule.Hash(List.of(keys));
            case "range" -> new Rule.Range(sortKeys(), boundaries);
            case "random" -> {
                requireNoKeys();
                yield new Rule.Random(seed);
            }
            case "round_robin" -> {
                requireNoKeys();
                yield new Rule.RoundRobin();
            }
            default ->
                throw HeadraceException.invalidInput(
                        "kind is '" + kind + "', must be hash, range, random or round_robin");
        };
    }

    /** The keys with their directions. */
    List<SortKey> sortKeys() {
        if (order.length != keys.length) {
            throw HeadraceException.invalidInput(keys.length + " keys have " + order.length + " directions");
        }
        List<SortKey> sortKeys = new ArrayList<>();
        for (int i = 0; i < keys.length; i++) {
            sortKeys.add(new SortKey(keys[i], (order[i] & DESCENDING) != 0, (order[i] & NULLS_FIRST) != 0));
        }
        return sortKeys;
    }

    private void requireNoKeys() {
        if (keys.length > 0) {
            throw HeadraceException.invalidInput(
                    "a " + kind.replace('_', '-') + " shuffle takes no key columns, keys is " + List.of(keys));
        }
    }
}
