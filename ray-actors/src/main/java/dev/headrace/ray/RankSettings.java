package dev.headrace.ray;

import dev.headrace.HeadraceException;
import dev.headrace.engine.EngineConfig;
import dev.headrace.transport.ucx.JobKey;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/**
 * What a rank is told when it starts; travels as the text of {@link Properties}, the same from every driver language.
 *
 * @param transport {@code ucx}, or {@code in-process} for ranks of one JVM
 * @param nativeDirectory where UCX's shared libraries lie, absolute; empty for those beside the jar
 * @param netDevices network devices that UCX may use, comma-separated; empty for the one that Ray uses on the node
 * @param jobKey what peers of one job prove to each other
 * @param sharedSlabs whether ranks of one node hand over bodies in shared memory
 */
record RankSettings(
        int rank,
        int ranks,
        long incarnation,
        long memoryLimitBytes,
        List<Path> spillDirectories,
        String transport,
        String nativeDirectory,
        String netDevices,
        JobKey jobKey,
        Duration peerTimeout,
        Duration connectTimeout,
        boolean sharedSlabs) {

    EngineConfig engineConfig() {
        return new EngineConfig(rank, ranks, incarnation, memoryLimitBytes, spillDirectories);
    }

    static RankSettings parse(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException cause) {
            throw HeadraceException.invalidInput("the rank's settings are not properties text: " + cause.getMessage());
        }
        Reader reader = new Reader(properties);
        return new RankSettings(
                (int) reader.number("rank", Integer.MAX_VALUE),
                (int) reader.number("ranks", Integer.MAX_VALUE),
                reader.number("incarnation", Long.MAX_VALUE),
                reader.number("memory_limit_bytes", Long.MAX_VALUE),
                reader.paths("spill_directories"),
                reader.text("transport"),
                properties.getProperty("native_directory", ""),
                properties.getProperty("net_devices", "").strip(),
                JobKey.parse(reader.text("job_key")),
                Duration.ofNanos(reader.number("peer_timeout_nanos", Long.MAX_VALUE)),
                Duration.ofNanos(reader.number("connect_timeout_nanos", Long.MAX_VALUE)),
                Boolean.parseBoolean(properties.getProperty("shared_slabs", "true")));
    }

    String format() {
        Properties properties = new Properties();
        properties.setProperty("rank", Integer.toString(rank));
        properties.setProperty("ranks", Integer.toString(ranks));
        properties.setProperty("incarnation", Long.toString(incarnation));
        properties.setProperty("memory_limit_bytes", Long.toString(memoryLimitBytes));
        properties.setProperty(
                "spill_directories",
                String.join(":", spillDirectories.stream().map(Path::toString).toList()));
        properties.setProperty("transport", transport);
        properties.setProperty("native_directory", nativeDirectory);
        properties.setProperty("net_devices", netDevices);
        properties.setProperty("job_key", jobKey.toHex());
        properties.setProperty("peer_timeout_nanos", Long.toString(peerTimeout.toNanos()));
        properties.setProperty("connect_timeout_nanos", Long.toString(connectTimeout.toNanos()));
        properties.setProperty("shared_slabs", Boolean.toString(sharedSlabs));
        StringWriter text = new StringWriter();
        try {
            properties.store(text, null);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + ranks + ", incarnation " + incarnation + ", " + memoryLimitBytes + " bytes, "
                + transport;
    }

    private record Reader(Properties properties) {

        String text(String name) {
            String value = properties.getProperty(name);
            if (value == null || value.isBlank()) {
                throw HeadraceException.invalidInput("the rank's setting " + name + " is missing");
            }
            return value.strip();
        }

        long number(String name, long greatest) {
            String value = text(name);
            try {
                long number = Long.parseLong(value);
                if (number >= 0 && number <= greatest) {
                    return number;
                }
            } catch (NumberFormatException ignored) {
                // Told below, with the name and the limits.
            }
            throw HeadraceException.invalidInput(
                    "the rank's setting " + name + " is '" + value + "', must be a number from 0 to " + greatest);
        }

        List<Path> paths(String name) {
            return Arrays.stream(text(name).split(":", -1))
                    .filter(path -> !path.isEmpty())
                    .map(Path::of)
                    .toList();
        }
    }
}
