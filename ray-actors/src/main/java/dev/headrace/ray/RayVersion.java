package dev.headrace.ray;

import dev.headrace.HeadraceException;
import io.ray.api.ObjectRef;
import io.ray.api.Ray;
import io.ray.api.exception.RayException;
import io.ray.api.function.PyFunction;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of the Ray that this program is connected to. Ray's Java API does not tell it, so a Python worker is
 * asked, while the ranks start.
 */
final class RayVersion {

    private static final Logger LOG = LoggerFactory.getLogger(RayVersion.class);
    private static final List<String> TESTED = List.of("2.60");

    private final ObjectRef<String> answer;

    private RayVersion(ObjectRef<String> answer) {
        this.answer = answer;
    }

    static RayVersion ask() {
        return new RayVersion(Ray.task(PyFunction.of("importlib.metadata", "version", String.class), "ray")
                .setResource("CPU", 0.0)
                .remote());
    }

    /** Refuses a Ray that Headrace was never tested with; goes on without an answer if none comes in that time. */
    void check(Duration timeout) {
        String version;
        try {
            version = answer.get(timeout.toMillis());
        } catch (RayException noAnswer) {
            LOG.warn("No worker could be asked for Ray's version", noAnswer);
            return;
        }
        check(version);
    }

    static void check(String version) {
        if (TESTED.stream().noneMatch(tested -> version.startsWith(tested + "."))) {
            throw HeadraceException.invalidInput(
                    "Ray " + version + " was never tested with Headrace; tested: " + String.join(", ", TESTED) + ".*");
        }
    }
}
