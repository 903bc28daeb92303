package dev.headrace.ray;

import io.ray.api.Ray;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The contract of all drivers, on a Ray that runs already: a program, since Ray's own jar has to come first on the
 * class path. Arguments: address of the Ray, directory of UCX's libraries, directory to spill to. Prints a line per
 * scenario; status 1 if one fails.
 */
final class ContractProgram {

    private ContractProgram() {}

    public static void main(String[] arguments) throws IOException {
        System.setProperty("ray.address", arguments[0]);
        Ray.init();
        int failures = 0;
        for (Scenario scenario : Scenario.read(Scenario.file())) {
            DriverSettings settings = DriverSettings.of(
                            scenario.ranks(), scenario.memoryBytes(), List.of(Path.of(arguments[2])))
                    .withTransport("ucx", arguments[1], "lo")
                    .withJava(Path.of(System.getProperty("java.home")), 256L << 20)
                    .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(30));
            long start = System.nanoTime();
            String outcome = "ok";
            try (ShuffleDriver driver = ShuffleDriver.start(settings)) {
                new ScenarioRun(driver, rank -> kill(driver.describe().get(rank))).run(scenario);
            } catch (RuntimeException | AssertionError failure) {
                outcome = "FAILED: " + failure;
                failures++;
            }
            System.out.printf("%6.2f s  %s: %s%n", (System.nanoTime() - start) / 1e9, scenario, outcome);
        }
        Ray.shutdown();
        System.exit(failures == 0 ? 0 : 1);
    }

    private static void kill(String description) {
        Optional<String> pid =
                description.lines().filter(line -> line.startsWith("pid=")).findFirst();
        ProcessHandle.of(Long.parseLong(pid.orElseThrow().substring("pid=".length())))
                .orElseThrow()
                .destroyForcibly();
    }
}
