package dev.headrace.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headrace.table.Column;
import dev.headrace.table.DataType;
import dev.headrace.table.DataType.Meaning;
import dev.headrace.table.DataType.TimeUnit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table is made by tests/golden/hash_vectors.py, another implementation of docs/hash.md. */
final class GoldenHashTest {
    private static final int PARTITIONS = 1_000;

    @Test
    void shouldGiveTheKnownAnswers() throws IOException {
        List<String[]> rows = rows();
        assertThat(rows).hasSizeGreaterThan(1_500);
        for (String[] row : rows) {
            List<DataType> types =
                    split(row[1]).stream().map(GoldenHashTest::type).toList();
            List<String> values = split(row[2]);
            List<Column> keys = new ArrayList<>();
            for (int i = 0; i < types.size(); i++) {
                keys.add(column(types.get(i), values.get(i)));
            }
            check(row, types, keys);
        }
    }

    private static void check(String[] row, List<DataType> types, List<Column> keys) {
        long salt = Long.parseUnsignedLong(row[0], 16);
        long[] hash = new long[1];
        new KeyHash(types, salt).hash(keys, 0, 1, hash);
        assertThat(HexFormat.of().toHexDigits(hash[0]))
                .as(String.join(" ", row))
                .isEqualTo(row[3]);
        int[] partition = new int[1];
        int[] indices = IntStream.range(0, types.size()).toArray();
        new HashPartitioner(types, indices, salt, PARTITIONS).partition(0, 0, keys, 0, 1, partition);
        assertThat(partition[0]).as(String.join(" ", row)).isEqualTo(Integer.parseInt(row[4]));
    }

    private static List<String[]> rows() throws IOException {
        try (InputStream table =
                Objects.requireNonNull(GoldenHashTest.class.getResourceAsStream("/golden-hash.tsv"), "no table")) {
            return new String(table.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .toList();
        }
    }

    private static List<String> split(String field) {
        return List.of(field.split(";", -1));
    }

    private static Column column(DataType type, String text) {
        byte @Nullable [] bytes = text.equals("null") ? null : HexFormat.of().parseHex(text);
        List<byte @Nullable []> values = Collections.singletonList(bytes);
        return switch (type) {
            case DataType.Null ignored -> TestColumns.nulls(1);
            case DataType.Bool ignored ->
                TestColumns.bools(Collections.singletonList(bytes == null ? null : bytes[0] != 0));
            case DataType.Binary ignored -> TestColumns.binary(type, values);
            default -> TestColumns.fixed(type, values);
        };
    }

    private static DataType type(String text) {
        String name = text.replaceAll("[(\\[].*", "");
        String argument = text.substring(name.length()).replaceAll("[()\\[\\]]", "");
        String family = name.replaceAll("\\d", "");
        String digits = name.replaceAll("\\D", "");
        int width = digits.isEmpty() ? 8 : Integer.parseInt(digits) / 8;
        return switch (family) {
            case "null" -> new DataType.Null();
            case "bool" -> new DataType.Bool();
            case "binary" -> new DataType.Binary(false, false);
            case "fixed_size_binary" -> new DataType.Fixed(Integer.parseInt(argument), new Meaning.Bytes());
            case "int" -> TestColumns.integer(width);
            case "uint" -> TestColumns.unsigned(width);
            case "float" -> TestColumns.floating(width);
            case "decimal" -> TestColumns.decimal(width, Integer.parseInt(argument));
            case "date" -> TestColumns.date(width);
            case "time" -> new DataType.Fixed(width, new Meaning.Time(unit(argument)));
            case "timestamp" -> TestColumns.timestamp(unit(argument), "");
            case "duration" -> new DataType.Fixed(width, new Meaning.Duration(unit(argument)));
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static TimeUnit unit(String text) {
        return switch (text) {
            case "s" -> TimeUnit.SECOND;
            case "ms" -> TimeUnit.MILLISECOND;
            case "us" -> TimeUnit.MICROSECOND;
            case "ns" -> TimeUnit.NANOSECOND;
            default -> throw new IllegalArgumentException(text);
        };
    }
}
