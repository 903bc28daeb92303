package dev.headrace.table;

import dev.headrace.HeadraceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The dictionaries of one stream as they stand between two record batches. Keeps the messages, which lie in the stream;
 * makes columns of them when a chunk asks.
 */
final class Dictionaries {
    private final Map<Long, Entry> entries = new HashMap<>();

    /** One dictionary: the batch that set it and those that added to it. */
    private static final class Entry {
        private final Field values;
        private final List<BatchBody> parts = new ArrayList<>();
        private @Nullable Column resolved;

        Entry(Field values) {
            this.values = values;
        }

        long scratchBytes() {
            long sum = 0;
            for (BatchBody part : parts) {
                sum = Math.addExact(sum, part.scratchBytes());
                sum = parts.size() == 1 ? sum : Math.addExact(sum, part.concatenationBytes());
            }
            return sum;
        }
    }

    Dictionaries(List<Field> fields) {
        register(fields);
    }

    private void register(List<Field> fields) {
        for (Field field : fields) {
            if (field.type() instanceof DataType.Dictionary) {
                Field values = field.dictionaryValues();
                Entry known = entries.putIfAbsent(field.dictionaryId(), new Entry(values));
                if (known != null && !known.values.type().equals(values.type())) {
                    throw HeadraceException.corruptData("column " + field.name() + " uses dictionary "
                            + field.dictionaryId() + ", which holds values of another type in column "
                            + known.values.name());
                }
            }
            register(field.children());
        }
    }

    void add(StreamMessage.OfDictionary message) {
        Entry entry = entries.get(message.id());
        if (entry == null) {
            throw HeadraceException.corruptData(
                    "an Arrow stream has a dictionary " + message.id() + ", which no column of its schema uses");
        }
        if (!message.delta()) {
            entry.parts.clear();
        }
        entry.parts.add(new BatchBody(message.header(), message.body()));
        forget(); // All, because one may lie inside another.
    }

    /** Called before the columns of a chunk: how much scratch memory its dictionaries take at most. */
    long startChunk() {
        long scratchBytes = 0;
        for (Entry entry : entries.values()) {
            scratchBytes = Math.addExact(scratchBytes, entry.scratchBytes());
        }
        if (scratchBytes > 0) {
            forget(); // What the last chunk resolved lies in memory that is gone.
        }
        return scratchBytes;
    }

    private void forget() {
        entries.values().forEach(entry -> entry.resolved = null);
    }

    /** The values of a dictionary, checked; no values if the stream has not brought it yet, as all-null columns may. */
    Column resolve(long id, Scratch scratch) {
        Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("dictionary " + id + " is not in the schema");
        }
        if (entry.resolved == null) {
            entry.resolved = read(entry, scratch);
        }
        return entry.resolved;
    }

    private Column read(Entry entry, Scratch scratch) {
        if (entry.parts.isEmpty()) {
            return Columns.empty(entry.values.type());
        }
        List<Column> columns = new ArrayList<>();
        for (BatchBody part : entry.parts) {
            Column column = new ColumnDecoder(part, this, scratch)
                    .columns(List.of(entry.values))
                    .get(0);
            ColumnCheck.checkAllButDictionaries(column, "in the dictionary of " + entry.values.name());
            columns.add(column);
        }
        return columns.size() == 1 ? columns.get(0) : new Concatenation(scratch).of(columns);
    }
}
