package dev.headrace.pack;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import org.jspecify.annotations.Nullable;

/**
 * Dictionary-encoded: only the values that rows use travel, in the order of first use. Equal values share an index,
 * from whatever source they come, if their type can be told by its bytes; nested values are only put behind each other.
 */
final class DictionaryAppender extends ColumnAppender {
    private final int width;
    private final boolean signed;
    private final int capacity;
    private final Validity validity = new Validity();
    /** Per row, the index in the block. */
    private final IntList indices = new IntList();
    /** Per value of the block, its row in the dictionary that it came from. */
    private final IntList used = new IntList();

    private final ColumnAppender values;
    private final @Nullable ValueIndex equal;
    private final IndexMap known = new IndexMap();
    private final IndexMap probed = new IndexMap();
    private @Nullable Column knownOf;

    DictionaryAppender(DataType.Dictionary type) {
        super(type);
        this.width = type.index().widthBytes();
        this.signed = type.index().meaning() instanceof Meaning.SignedInt;
        this.capacity = (int) Math.min(IntList.MAX_SIZE, Integers.max(width, signed) + (width == 8 ? 0 : 1));
        this.values = of(type.values());
        this.equal = ValueBytes.supports(type.values()) ? new ValueIndex(type.values()) : null;
    }

    @Override
    long rows() {
        return indices.size();
    }

    @Override
    void reset() {
        validity.reset();
        indices.clear();
        used.clear();
        values.reset();
        knownOf = null;
        if (equal != null) {
            equal.reset();
        }
    }

    @Override
    void addRows(Column source, int[] order, int from, int to) {
        check(source);
        validity.addRows(source, order, from, to);
        int at = indices.extend(to - from);
        Integers.readRows(
                source.buffers().getFirst(), sourceWidth(source), signed, order, from, to, indices.array(), at);
        remap(source.children().getFirst(), at);
    }

    @Override
    void addRange(Column source, long start, long count) {
        check(source);
        validity.addRange(source, start, count);
        int at = indices.extend(count);
        read(source, start, (int) count, at);
        remap(source.children().getFirst(), at);
    }

    private void read(Column source, long start, int count, int at) {
        Integers.readRange(source.buffers().getFirst(), sourceWidth(source), signed, start, count, indices.array(), at);
    }

    // A map is good for one dictionary object; an equal one that lies elsewhere gets a map of its own.
    @SuppressWarnings("ReferenceEquality")
    private void remap(Column dictionary, int at) {
        if (dictionary != knownOf) {
            known.start(checkedSize(dictionary));
            knownOf = dictionary;
        }
        int first = used.size();
        int[] array = indices.array();
        boolean nulls = validity.hasNulls();
        for (int i = at; i < indices.size(); i++) {
            if (nulls && !validity.isValid(i)) {
                array[i] = 0;
            } else {
                int index = checkedIndex(dictionary, array[i]);
                int number = known.get(index);
                array[i] = number >= 0 ? number : number(dictionary, index);
            }
        }
        if (used.size() > first) {
            values.addRows(dictionary, used.array(), first, used.size());
        }
    }

    private int number(Column dictionary, int index) {
        int number = equal == null ? -1 : equal.find(dictionary, index);
        if (number < 0) {
            number = used.size();
            if (number == capacity) {
                throw tooLarge("a dictionary index", number, capacity - 1L);
            }
            used.add(index);
            if (equal != null) {
                equal.add(dictionary, index);
            }
        }
        known.put(index, number);
        return number;
    }

    private static long checkedSize(Column dictionary) {
        if (dictionary.rows() > IntList.MAX_SIZE) {
            throw tooLarge("a dictionary", dictionary.rows(), IntList.MAX_SIZE);
        }
        return dictionary.rows();
    }

    private static int checkedIndex(Column dictionary, int index) {
        if (index < 0 || index >= dictionary.rows()) {
            throw corrupt("a dictionary index outside of " + dictionary.rows() + " values:", index);
        }
        return index;
    }

    private static int sourceWidth(Column source) {
        return ((DataType.Dictionary) source.type()).index().widthBytes();
    }

    @Override
    boolean fits(Column source, long start, long count) {
        Column dictionary = source.children().getFirst();
        if (count > IntList.MAX_SIZE - indices.size()) {
            return false;
        }
        if (dictionary.rows() > 0 && !values.fits(dictionary, 0, dictionary.rows())) {
            return false;
        }
        int free = capacity - used.size();
        return Math.min(count, dictionary.rows()) <= free || newValues(source, start, (int) count) <= free;
    }

    /** How many values the range would add; reads its indices behind those of the block. */
    @SuppressWarnings("ReferenceEquality")
    private int newValues(Column source, long start, int count) {
        Column dictionary = source.children().getFirst();
        probed.start(checkedSize(dictionary));
        int at = indices.extend(count);
        read(source, start, count, at);
        indices.shorten(at);
        int fresh = 0;
        for (int i = 0; i < count; i++) {
            if (source.isValid(start + i)) {
                int index = checkedIndex(dictionary, indices.array()[at + i]);
                boolean old = probed.get(index) >= 0
                        || (dictionary == knownOf && known.get(index) >= 0)
                        || (equal != null && equal.find(dictionary, index) >= 0);
                if (!old) {
                    probed.put(index, 0);
                    fresh++;
                }
            }
        }
        return fresh;
    }

    @Override
    long bytes() {
        return LittleEndian.pad8(validity.bytes()) + LittleEndian.pad8(rows() * width) + values.bytes();
    }

    @Override
    void write(BlockOutput out) {
        out.column(rows());
        validity.write(out);
        long at = out.place(rows() * width);
        Integers.write(indices.array(), indices.size(), out.target(), at, width);
        values.write(out);
    }

    @Override
    boolean accepts(DataType source) {
        return source instanceof DataType.Dictionary dictionary
                && dictionary.index().widthBytes() <= width
                && dictionary.index().meaning() instanceof Meaning.SignedInt == signed;
    }
}
