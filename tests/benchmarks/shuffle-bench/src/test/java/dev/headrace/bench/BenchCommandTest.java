package dev.headrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.headrace.metrics.Statistic;
import dev.headrace.testing.LeakCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small runs of the whole program, with ranks in this process and in their own. */
@LeakCheck.Allow(threads = "process reaper.*", descriptors = "/sys/.*")
final class BenchCommandTest {
    private static final int ROWS = 3_000;
    private static final int RUNS = 2;

    /** What a run printed, and its exit status. */
    private record Outcome(int status, List<String> lines) {
        JsonObject json() {
            return JsonParser.parseString(lines.getLast()).getAsJsonObject();
        }
    }

    private static Outcome run(String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int status = BenchCommand.run(List.of(arguments), out);
        return new Outcome(
                status, bytes.toString(StandardCharsets.UTF_8).lines().toList());
    }

    private static Outcome small(String... more) {
        List<String> arguments = new ArrayList<>(List.of("-n", "" + ROWS, "-r", "" + RUNS, "-w", "1", "--json"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    @Test
    void shouldEndWithOneObjectThatHasTimesAndStatistics() {
        Outcome outcome = small("--type", "int64", "-o", "3", "--batch-rows", "1000", "-x");

        assertThat(outcome.status()).isZero();
        JsonObject json = outcome.json();
        assertThat(json.getAsJsonArray("elapsed_s"))
                .hasSize(RUNS)
                .allSatisfy(seconds -> assertThat(seconds.getAsDouble()).isPositive());
        for (String name : List.of("local_gib_per_s", "global_gib_per_s", "roofline_gib_per_s", "of_roofline")) {
            assertThat(json.get(name).getAsDouble()).as(name).isPositive();
        }
        for (Statistic statistic : Statistic.values()) {
            assertThat(json.has(statistic.statisticName()))
                    .as(statistic.statisticName())
                    .isTrue();
        }
        assertThat(json.get("shuffle-rows-out").getAsLong()).isEqualTo(2 * ROWS);
        assertThat(json.get("shuffle-batches").getAsLong()).isEqualTo(6);
        assertThat(json.get("partitions").getAsInt()).isEqualTo(6);
        assertThat(json.getAsJsonObject("memory_profile")
                        .getAsJsonObject("pack")
                        .get("calls")
                        .getAsLong())
                .isPositive();
        assertThat(outcome.lines())
                .anyMatch(line -> line.startsWith("run 2"))
                .anyMatch(line -> line.startsWith("place"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"int32", "string", "lineitem", "nested"})
    void shouldShuffleEveryKindOfTable(String kind) {
        Outcome outcome = small("--type", kind, "--threads", "2", "--ranks", "3", "-p", "2", "-s");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.json().get("shuffle-rows-out").getAsLong()).isEqualTo(3 * ROWS);
    }

    @Test
    void shouldTakePrePartitionedInputAndNewMemoryForEachRun() {
        Outcome outcome = small("-g", "-m", "fresh", "-l", "16");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.json().get("shuffle-rows-out").getAsLong()).isEqualTo(2 * ROWS);
        assertThat(outcome.json().get("peak-host").getAsLong()).isLessThanOrEqualTo(16L << 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ucx", "ucx-no-shared-slabs"})
    void shouldRunEveryRankInAProcessOfItsOwnWithUcx(String communicator) {
        Outcome outcome = small("-C", communicator, "--native-directory", ucxLibraries());

        assertThat(outcome.status()).isZero();
        JsonObject json = outcome.json();
        assertThat(json.get("shuffle-rows-out").getAsLong()).isEqualTo(2 * ROWS);
        assertThat(json.get("ucx_gib_per_s").getAsDouble()).isPositive();
        String way = communicator.equals("ucx") ? "transport-shared-slab" : "transport-ucx";
        assertThat(json.get(way).getAsLong()).isPositive();
    }

    private static String ucxLibraries() {
        String named = System.getenv("HEADRACE_UCX");
        Path directory = Path.of(named == null ? "" : named);
        try (Stream<Path> files = named == null ? Stream.empty() : Files.list(directory)) {
            Assumptions.assumeTrue(files.anyMatch(file -> file.endsWith("libucp.so.0")), "HEADRACE_UCX has no UCX");
        } catch (IOException e) {
            Assumptions.abort("HEADRACE_UCX can't be read: " + e);
        }
        return directory.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--ranks=0",
                "--type=nope",
                "--type=lineitem --columns=3",
                "--communicator=mpi",
                "--memory-limit=lots",
                "--memory-limit=1MiB",
                "--memory-limit=64MiB -l=64",
                "--communicator=ucx --native-directory=",
                "--unknown",
                "stray"
            })
    void shouldRefuseWrongArguments(String arguments) {
        assertThat(run(arguments.split(" ", -1)).status()).isEqualTo(2);
    }

    @Test
    void shouldFailWhenARankCanNotStart() {
        assertThat(small("--spill-directory", "/nowhere").status()).isEqualTo(1);
    }

    @Test
    void shouldExplainItself() {
        Outcome outcome = run("--help");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.lines()).anyMatch(line -> line.contains("--output-partitions"));
    }
}
