package dev.headrace.partition;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import java.util.Arrays;
import java.util.List;

/**
 * The hash of a key of one or more columns, as docs/hash.md has it: a function of the values alone, the same on every
 * rank, device and version. Keeps scratch space and the last dictionary: one thread at a time.
 */
public final class KeyHash {
    private final Cells[] readers;
    private final long start;
    private final long[] cells = new long[Cells.MAX_ROWS];

    /**
     * @param keyTypes the types of the key columns, in the order of the keys
     * @param salt 0 for the plain hash; another salt gives an independent one
     * @throws dev.headrace.HeadraceException {@code INVALID_INPUT} for a type that can't be a key
     */
    public KeyHash(List<DataType> keyTypes, long salt) {
        readers = new Cells[keyTypes.size()];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = Cells.of(keyTypes.get(i));
        }
        start = Mixer.start(salt);
    }

    /**
     * Sets {@code out[i]} to the hash of row {@code fromRow + i}.
     *
     * @param keys the key columns, of the types given to the constructor
     */
    public void hash(List<Column> keys, long fromRow, int rows, long[] out) {
        if (keys.size() != readers.length) {
            throw new IllegalArgumentException(keys.size() + " columns for " + readers.length + " keys");
        }
        for (int at = 0; at < rows; at += Cells.MAX_ROWS) {
            int count = Math.min(Cells.MAX_ROWS, rows - at);
            Arrays.fill(out, at, at + count, start);
            for (int key = 0; key < readers.length; key++) {
                readers[key].read(keys.get(key), fromRow + at, count, cells, 0);
                Mixer.chain(out, at, count, cells);
            }
        }
    }
}
