package dev.headrace.memory;

/** A range of slots, {@code from} included, {@code to} not; all empty ones are the same. */
record Window(int from, int to) {
    static final Window NONE = new Window(0, 0);

    Window {
        if (from == to) {
            from = 0;
            to = 0;
        }
    }

    boolean contains(int slot) {
        return slot >= from && slot < to;
    }
}
