package dev.headrace.ray;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JavaWorkerTest {

    private final DriverSettings settings = DriverSettings.of(1, 64 << 20, List.of(Path.of("/tmp")));

    @Test
    void shouldPutItsJavaFirstOnThePath() {
        Map<String, String> variables = new JavaWorker(settings).environmentVariables();
        assertThat(variables.get("PATH")).startsWith(System.getProperty("java.home") + "/bin:");
        assertThat(variables.get("JDK_JAVA_OPTIONS"))
                .contains("--add-opens=java.base/java.lang=ALL-UNNAMED", "-Xmx" + settings.heapBytes());
    }

    @Test
    void shouldStartRanksWithTheSameOptionsAsThePythonPackage() throws IOException {
        Path file = Path.of("../python-bindings/src/headrace/java.options");
        List<String> python = Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        String java = new JavaWorker(settings).environmentVariables().getOrDefault("JDK_JAVA_OPTIONS", "");
        assertThat(java.split(" "))
                .filteredOn(option -> !option.startsWith("-Xm"))
                .containsExactlyInAnyOrderElementsOf(python);
    }

    @Test
    void shouldFindOutWhetherTheJavaStarts() throws IOException {
        assertThat(shell(new JavaWorker(settings).checkCommand())).contains("Runtime Environment");
        DriverSettings broken = settings.withJava(settings.javaHome(), 1);
        assertThat(shell(new JavaWorker(broken).checkCommand())).contains("Too small maximum heap");
    }

    private static String shell(String command) throws IOException {
        Process process = new ProcessBuilder("/bin/sh", "-c", command)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
