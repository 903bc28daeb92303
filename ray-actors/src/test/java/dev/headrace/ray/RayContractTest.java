package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of all drivers, on a real Ray with ranks in processes of their own. Needs the address of a Ray in
 * {@code HEADRACE_RAY_ADDRESS}, the {@code ray_dist.jar} of its wheel in {@code HEADRACE_RAY_JAR}, and the directory of
 * UCX's libraries in {@code HEADRACE_UCX}.
 */
final class RayContractTest {

    private static final List<String> VARIABLES = List.of("HEADRACE_RAY_ADDRESS", "HEADRACE_RAY_JAR", "HEADRACE_UCX");

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldDoWhatTheScenariosSay(@TempDir Path spill) throws IOException, InterruptedException {
        for (String variable : VARIABLES) {
            assumeTrue(System.getenv(variable) != null, "skipped: " + variable + " is not set");
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m", "-cp", classPath()));
        command.addAll(List.of(
                ContractProgram.class.getName(),
                System.getenv("HEADRACE_RAY_ADDRESS"),
                System.getenv("HEADRACE_UCX"),
                spill.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .put(
                        "JDK_JAVA_OPTIONS",
                        new JavaWorker(DriverSettings.of(1, 1, List.of(spill)))
                                .environmentVariables()
                                .get("JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Ray's jar first, as on its workers; it brings the classes that this build was compiled against. */
    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> entries = new ArrayList<>(List.of(System.getenv("HEADRACE_RAY_JAR")));
        for (String entry : own.split(":", -1)) {
            if (!entry.contains("/io/ray/") && !entry.contains("/org/slf4j/")) {
                entries.add(entry);
            }
        }
        return String.join(":", entries);
    }
}
