package dev.headrace.ray;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of all drivers, on ranks of this process. */
@Timeout(120)
final class ContractTest {

    static List<Scenario> scenarios() throws IOException {
        return Scenario.read(Scenario.file());
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldDoWhatTheScenarioSays(Scenario scenario, @TempDir Path spill) {
        DriverSettings settings = DriverSettings.of(scenario.ranks(), scenario.memoryBytes(), List.of(spill))
                .withTransport("in-process", "", "lo")
                .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(20));
        LocalHost host = new LocalHost(settings);
        try (ShuffleDriver driver = new ShuffleDriver(host, settings.startTimeout())) {
            new ScenarioRun(driver, host::kill).run(scenario);
        }
    }
}
