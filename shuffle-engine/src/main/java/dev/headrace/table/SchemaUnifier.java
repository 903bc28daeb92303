package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One schema for all batches of a shuffle, by a rule that gives every rank the same answer: columns must have the same
 * names in the same order; integers become as wide as the widest of their sign, dictionary indices too; nullable is
 * what is nullable anywhere; metadata comes from the lowest batch. Everything else must be equal. Pure functions.
 */
public final class SchemaUnifier {
    private SchemaUnifier() {}

    /** The schema of a batch, and the number of that batch. */
    public record Ranked(long batch, Schema schema) {
        private String source() {
            return "batch " + batch;
        }
    }

    /**
     * The schema that all given ones can be brought to, whatever their order.
     *
     * @throws HeadraceException INVALID_INPUT that names the column, both types and both batches, or if there is none
     */
    public static Schema unify(List<Ranked> schemas) {
        List<Ranked> ascending =
                schemas.stream().sorted(Comparator.comparingLong(Ranked::batch)).toList();
        if (ascending.isEmpty()) {
            throw HeadraceException.invalidInput("no batch was inserted and no schema was declared");
        }
        Ranked first = ascending.getFirst();
        List<Field> fields = new ArrayList<>(first.schema().fields());
        List<String> sources = new ArrayList<>();
        fields.forEach(_ -> sources.add(first.source()));
        for (Ranked next : ascending.subList(1, ascending.size())) {
            requireSameNames(first.schema(), first.source(), next);
            for (int i = 0; i < fields.size(); i++) {
                Field known = fields.get(i);
                Field both = new FieldUnifier(sources.get(i), next.source())
                        .unify(known, next.schema().fields().get(i));
                fields.set(i, both);
                if (!both.type().equals(known.type())) {
                    sources.set(i, next.source());
                }
            }
        }
        return fields.equals(first.schema().fields())
                ? first.schema()
                : new Schema(fields, first.schema().metadata(), null);
    }

    /**
     * The declared schema, if the values of all batches can be brought to it.
     *
     * @throws HeadraceException INVALID_INPUT that names the column, both types and the batch
     */
    public static Schema fit(Schema declared, List<Ranked> schemas) {
        String source = "the declared schema";
        for (Ranked next : schemas) {
            requireSameNames(declared, source, next);
            FieldUnifier unifier = new FieldUnifier(source, next.source());
            for (int i = 0; i < declared.fields().size(); i++) {
                Field target = declared.fields().get(i);
                Field given = next.schema().fields().get(i);
                Field both = unifier.unify(target, given);
                if (!both.type().equals(target.type())) {
                    throw HeadraceException.invalidInput(
                            "column " + target.name() + ": " + TypeName.of(target.type()) + " in " + source
                                    + ", too narrow for " + TypeName.of(given.type()) + " in " + next.source());
                }
                if (!both.equals(target)) {
                    throw HeadraceException.invalidInput("column " + target.name() + ": not null in " + source
                            + ", but in " + next.source() + " it, or a field in it, may be null");
                }
            }
        }
        return declared;
    }

    private static void requireSameNames(Schema schema, String source, Ranked next) {
        List<RawText> names = rawNames(schema);
        List<RawText> others = rawNames(next.schema());
        if (names.equals(others)) {
            return;
        }
        List<RawText> missing = without(names, others);
        if (!missing.isEmpty()) {
            throw HeadraceException.invalidInput(
                    "column " + missing.getFirst() + " of " + source + " is missing in " + next.source());
        }
        List<RawText> extra = without(others, names);
        if (!extra.isEmpty()) {
            throw HeadraceException.invalidInput(
                    "column " + extra.getFirst() + " of " + next.source() + " is not in " + source);
        }
        int position = 0;
        while (names.get(position).equals(others.get(position))) {
            position++;
        }
        throw HeadraceException.invalidInput("column " + position + " is " + names.get(position) + " in " + source
                + ", " + others.get(position) + " in " + next.source() + ": the order of columns must be the same");
    }

    /** What is left of the names when each of the others has taken away one like it. */
    private static List<RawText> without(List<RawText> names, List<RawText> others) {
        List<RawText> left = new ArrayList<>(names);
        others.forEach(left::remove);
        return left;
    }

    private static List<RawText> rawNames(Schema schema) {
        return schema.fields().stream().map(Field::rawName).toList();
    }
}
