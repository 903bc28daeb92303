package dev.headrace.table;

/** One entry of the metadata of a schema or a field. */
public record KeyValue(RawText key, RawText value) {

    public static KeyValue of(String key, String value) {
        return new KeyValue(RawText.of(key), RawText.of(value));
    }
}
