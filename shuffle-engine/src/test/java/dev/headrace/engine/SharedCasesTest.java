package dev.headrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.headrace.HeadraceException;
import dev.headrace.partition.SortKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The awkward inputs of the folder HEADRACE_CASES (default: {@code ../shared/cases} beside the checkout), shuffled by
 * ranks of one JVM and judged by that folder's own checker. Needs a Python with pyarrow in HEADRACE_PYTHON or in
 * {@code .venv}; skipped where either is missing.
 */
final class SharedCasesTest {
    private static final long UNLIMITED_BYTES = 1L << 30;

    @TempDir
    static Path folder;

    private static Path cases = Path.of("");
    private static String python = "";

    @BeforeAll
    static void exportCases() throws Exception {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        String named = System.getenv("HEADRACE_CASES");
        cases = named == null ? checkout.resolveSibling("shared").resolve("cases") : checkout.resolve(named);
        assumeTrue(Files.exists(cases.resolve("cases.py")), "no cases in " + cases);
        String interpreter = System.getenv("HEADRACE_PYTHON");
        python = interpreter == null ? checkout.resolve(".venv/bin/python").toString() : interpreter;
        assumeTrue(Files.isExecutable(Path.of(python)), "no Python with pyarrow at " + python);
        run(
                python,
                cases.resolve("cases.py").toString(),
                "export",
                folder.resolve("in").toString(),
                "--heavy");
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "5"})
    void shouldShuffleEverySmallCase(int ranks) throws Exception {
        shuffleAll(ranks, UNLIMITED_BYTES, false);
    }

    @ParameterizedTest
    @CsvSource({"2"})
    void shouldShuffleEverySmallCaseAtTheLeastLimit(int ranks) throws Exception {
        shuffleAll(ranks, EngineConfig.leastMemoryBytes(ranks), false);
    }

    @ParameterizedTest
    @CsvSource({"2"})
    void shouldSpillTheHeavyCases(int ranks) throws Exception {
        shuffleAll(ranks, 36L << 20, true);
    }

    private static void shuffleAll(int ranks, long limitBytes, boolean heavy) throws Exception {
        List<String> names = new ArrayList<>();
        Path out = Files.createTempDirectory(folder, "out");
        try (LocalRanks cluster = new LocalRanks(ranks, limitBytes, folder);
                Stream<Path> all = Files.list(folder.resolve("in"))) {
            for (Path source : all.sorted().toList()) {
                JsonObject request = JsonParser.parseString(Files.readString(source.resolve("case.json")))
                        .getAsJsonObject();
                boolean wanted = request.get("weight").getAsString().equals("heavy") == heavy;
                if (wanted) {
                    String name = source.getFileName().toString();
                    names.add(name);
                    shuffleOne(cluster, request, source, Files.createDirectory(out.resolve(name)));
                }
            }
        }
        assertThat(names).isNotEmpty();
        List<String> command = new ArrayList<>(List.of(
                python,
                cases.resolve("check.py").toString(),
                folder.resolve("in").toString(),
                out.toString()));
        command.addAll(names);
        run(command.toArray(String[]::new));
    }

    private static void shuffleOne(LocalRanks cluster, JsonObject request, Path source, Path target)
            throws IOException {
        List<byte[]> batches = new ArrayList<>();
        for (int i = 0; i < request.get("batches").getAsInt(); i++) {
            batches.add(Files.readAllBytes(source.resolve("batch-%04d.arrow".formatted(i))));
        }
        try {
            byte[] schema = batches.isEmpty() ? Files.readAllBytes(source.resolve("schema.arrow")) : new byte[0];
            int partitions = request.get("num_partitions").getAsInt();
            Rule rule = rule(request, source);
            if (rule instanceof Rule.Range range && range.boundaries().length == 0) {
                rule = new Rule.Range(range.keys(), cluster.boundaries(range.keys(), partitions, batches, schema));
            }
            ShuffleSpec spec = LocalRanks.withSchema(LocalRanks.spec(rule, partitions), schema);
            for (Map.Entry<Integer, byte[]> part :
                    cluster.shuffle(spec, batches).entrySet()) {
                Files.write(target.resolve("part-%05d.arrow".formatted(part.getKey())), part.getValue());
            }
        } catch (HeadraceException e) {
            Files.writeString(target.resolve("error.txt"), String.valueOf(e.getMessage()));
        }
    }

    private static Rule rule(JsonObject request, Path source) throws IOException {
        List<String> names = request.get("keys").getAsJsonArray().asList().stream()
                .map(JsonElement::getAsString)
                .toList();
        switch (request.get("kind").getAsString()) {
            case "hash" -> {
                return new Rule.Hash(names);
            }
            case "random" -> {
                return new Rule.Random(request.get("seed").getAsLong());
            }
            default -> {}
        }
        List<SortKey> keys = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            keys.add(new SortKey(names.get(i), flag(request, "descending", i), flag(request, "nulls_first", i)));
        }
        Path boundaries = source.resolve("boundaries.arrow");
        return new Rule.Range(keys, Files.exists(boundaries) ? Files.readAllBytes(boundaries) : new byte[0]);
    }

    private static boolean flag(JsonObject request, String name, int key) {
        JsonArray flags = request.get(name).getAsJsonArray();
        return !flags.isEmpty() && flags.get(key).getAsBoolean();
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        String wrong = output.lines().filter(line -> !line.startsWith("ok ")).reduce("", (a, b) -> a + "\n" + b);
        assertThat(code).as(wrong).isZero();
    }
}
