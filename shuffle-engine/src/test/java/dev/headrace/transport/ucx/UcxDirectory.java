package dev.headrace.transport.ucx;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds UCX for tests: the system property {@code headrace.ucx}, the environment variable {@code HEADRACE_UCX}, or the
 * wheel {@code libucx} in a virtual environment called {@code .venv} in or above the working directory.
 */
public final class UcxDirectory {
    private UcxDirectory() {}

    /** The directory, or a skipped test that says what is missing. */
    public static Path require() {
        return find().orElseGet(() ->
                abort("no UCX found: set -Dheadrace.ucx or HEADRACE_UCX to the directory of libucp.so.0, or"
                        + " install the wheel libucx-cu12 in .venv"));
    }

    public static Optional<Path> find() {
        List<Path> candidates = new ArrayList<>();
        String property = System.getProperty("headrace.ucx", System.getenv("HEADRACE_UCX"));
        if (property != null && !property.isEmpty()) {
            candidates.add(Path.of(property));
        } else {
            for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
                candidates.addAll(wheelsIn(at.resolve(".venv/lib")));
            }
        }
        return candidates.stream()
                .flatMap(each -> List.of(each, each.resolve("lib")).stream())
                .filter(each -> Files.exists(each.resolve("libucp.so.0")))
                .findFirst();
    }

    private static List<Path> wheelsIn(Path libraries) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> pythons = Files.newDirectoryStream(libraries, "python3*")) {
            for (Path python : pythons) {
                try (DirectoryStream<Path> wheels =
                        Files.newDirectoryStream(python.resolve("site-packages"), "libucx*")) {
                    wheels.forEach(found::add);
                }
            }
        } catch (IOException e) {
            // no such environment here
        }
        return found;
    }
}
