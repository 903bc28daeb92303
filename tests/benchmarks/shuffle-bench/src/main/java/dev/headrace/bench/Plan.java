package dev.headrace.bench;

import java.util.Locale;

/** In how many steps a row finds its partition. */
enum Plan {
    /** The engine chooses. */
    AUTO,
    DIRECT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
