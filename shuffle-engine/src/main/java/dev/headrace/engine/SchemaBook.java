package dev.headrace.engine;

import dev.headrace.exchange.Manifest;
import dev.headrace.table.Schema;
import dev.headrace.table.SchemaUnifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The schemas that came with a shuffle's batches at this rank, each with its plan and the first batch that had it.
 * Refuses one that can't be unified with those before it. Thread-safe.
 */
final class SchemaBook {
    private final Routing routing;
    private final Optional<Schema> declared;
    private final Map<Schema, BatchPlan> plans = new LinkedHashMap<>();
    private final Map<Schema, Long> firstBatch = new LinkedHashMap<>();

    SchemaBook(ShuffleSpec spec) {
        this.routing = new Routing(spec);
        this.declared = spec.schema().length == 0 ? Optional.empty() : Optional.of(Schema.parse(spec.schema()));
        declared.ifPresent(schema -> plans.put(schema, new BatchPlan(schema, routing)));
    }

    synchronized BatchPlan plan(long batch, Schema schema) {
        BatchPlan known = plans.get(schema);
        if (known != null && firstBatch.getOrDefault(schema, Long.MAX_VALUE) <= batch) {
            return known;
        }
        firstBatch.merge(schema, batch, Math::min);
        if (known == null) {
            unify(declared, ranked());
            known = new BatchPlan(schema, routing);
            plans.put(schema, known);
        }
        return known;
    }

    private List<SchemaUnifier.Ranked> ranked() {
        List<SchemaUnifier.Ranked> ranked = new ArrayList<>();
        firstBatch.forEach((schema, batch) -> ranked.add(new SchemaUnifier.Ranked(batch, schema)));
        return ranked;
    }

    synchronized List<Manifest.SchemaOfBatch> forManifest() {
        List<Manifest.SchemaOfBatch> schemas = new ArrayList<>();
        firstBatch.forEach((schema, batch) -> schemas.add(new Manifest.SchemaOfBatch(batch, schema.toMessage())));
        return schemas;
    }

    /** The schema of every partition: the declared one, or what all batches of all sources have in common. */
    Schema unified(List<Manifest.SchemaOfBatch> ofAllSources) {
        List<SchemaUnifier.Ranked> ranked = new ArrayList<>();
        for (Manifest.SchemaOfBatch schema : ofAllSources) {
            ranked.add(new SchemaUnifier.Ranked(schema.batch(), Schema.parse(schema.message())));
        }
        return unify(declared, ranked);
    }

    private static Schema unify(Optional<Schema> declared, List<SchemaUnifier.Ranked> ranked) {
        return declared.map(schema -> SchemaUnifier.fit(schema, ranked)).orElseGet(() -> SchemaUnifier.unify(ranked));
    }
}
