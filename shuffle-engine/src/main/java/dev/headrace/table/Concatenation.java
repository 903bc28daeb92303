package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.util.List;

/** Puts columns of one type one after the other. */
final class Concatenation {
    private final Scratch scratch;

    Concatenation(Scratch scratch) {
        this.scratch = scratch;
    }

    Column of(List<Column> parts) {
        throw HeadraceException.invalidInput("delta dictionaries " + parts.size() + scratch);
    }
}
