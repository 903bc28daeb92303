package dev.headrace.ray;

import io.ray.api.Ray;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contract of all drivers, on a Ray that runs already: a program, since Ray's own jar has to come first on the
 * class path. Arguments: address of the Ray, directory of UCX's libraries, directory to spill to. Prints a line per
 * scenario; status 1 if one fails.
 */
final class ContractProgram implements AutoCloseable {

    private final String libraries;
    private final Path spill;
    private @Nullable ShuffleDriver driver;
    private @Nullable DriverSettings settings;

    private ContractProgram(String libraries, Path spill) {
        this.libraries = libraries;
        this.spill = spill;
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("ray.address", arguments[0]);
        Ray.init();
        int failures = 0;
        try (ContractProgram program = new ContractProgram(arguments[1], Path.of(arguments[2]))) {
            for (Scenario scenario : Scenario.read(Scenario.file())) {
                failures += program.run(scenario) ? 0 : 1;
            }
        }
        Ray.shutdown();
        System.exit(failures == 0 ? 0 : 1);
    }

    private boolean run(Scenario scenario) {
        long start = System.nanoTime();
        String outcome = "ok";
        try {
            ShuffleDriver running = driver(scenario);
            new ScenarioRun(running, rank -> kill(running.describe().get(rank))).run(scenario);
            if (!scenario.leavesRanksWhole()) {
                close();
            }
        } catch (RuntimeException | AssertionError failure) {
            outcome = "FAILED: " + failure;
            close();
        }
        System.out.printf("%6.2f s  %s: %s%n", (System.nanoTime() - start) / 1e9, scenario, outcome);
        return outcome.equals("ok");
    }

    /** Ranks like those before are used again: to start them takes longer than most scenarios. */
    private ShuffleDriver driver(Scenario scenario) {
        DriverSettings wanted = DriverSettings.of(scenario.ranks(), scenario.memoryBytes(), List.of(spill))
                .withTransport("ucx", libraries, "lo")
                .withJava(Path.of(System.getProperty("java.home")), 256L << 20)
                .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(30));
        ShuffleDriver running = driver;
        if (running == null || !wanted.equals(settings)) {
            close();
            running = ShuffleDriver.start(wanted);
            driver = running;
            settings = wanted;
        }
        return running;
    }

    @Override
    public void close() {
        if (driver != null) {
            driver.close();
            driver = null;
        }
    }

    private static void kill(String description) {
        String pid = description
                .lines()
                .filter(line -> line.startsWith("pid="))
                .findFirst()
                .orElseThrow()
                .substring("pid=".length());
        ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();
    }
}
