package dev.headrace.ray;

import io.ray.api.runtimeenv.RuntimeEnv;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a rank's JVM is started, in any Ray that runs already: Ray takes the {@code java} on the worker's PATH and adds
 * no options of its own, so both come through the actor's environment variables.
 */
final class JavaWorker {

    /** Without these Ray's serializer crashes the worker as soon as it has an exception to carry. */
    private static final List<String> OPENED_PACKAGES = List.of(
            "java.lang",
            "java.lang.invoke",
            "java.lang.reflect",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.math",
            "java.net",
            "java.text",
            "java.io",
            "java.nio",
            "java.time",
            "sun.nio.ch");

    /** The same as in the Python package's {@code java.options}, which says why; a test compares them. */
    private static final List<String> OTHER_OPTIONS = List.of(
            "--add-opens=java.sql/java.sql=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:+ErrorFileToStderr");

    private final DriverSettings settings;

    JavaWorker(DriverSettings settings) {
        this.settings = settings;
    }

    RuntimeEnv runtimeEnvironment() {
        RuntimeEnv environment = new RuntimeEnv.Builder().build();
        environment.set("env_vars", environmentVariables());
        if (!settings.jars().isEmpty()) {
            environment.set(
                    "java_jars",
                    settings.jars().stream().map(jar -> jar.toUri().toString()).toList());
        }
        return environment;
    }

    Map<String, String> environmentVariables() {
        Map<String, String> variables = new LinkedHashMap<>();
        // Ray puts in the PATH of the node.
        variables.put("PATH", programs() + ":${PATH}");
        variables.put("JDK_JAVA_OPTIONS", String.join(" ", options()));
        // What Ray's native threads free would stay with each of them: 150 MiB of a busy rank.
        variables.put("MALLOC_ARENA_MAX", "1");
        return variables;
    }

    /** A shell command that starts the same JVM only to see whether it starts. */
    String checkCommand() {
        List<String> words = new ArrayList<>();
        words.add("PATH=" + quoted(programs()) + ":\"$PATH\"");
        words.add("JDK_JAVA_OPTIONS=" + quoted(String.join(" ", options())));
        words.add("java");
        if (!settings.jars().isEmpty()) {
            words.add("-cp");
            words.add(quoted(String.join(
                    ":", settings.jars().stream().map(Path::toString).toList())));
            words.add(JavaCheck.class.getName());
        } else {
            words.add("-version");
        }
        return String.join(" ", words);
    }

    private String programs() {
        return settings.javaHome().resolve("bin").toString();
    }

    private List<String> options() {
        List<String> options = new ArrayList<>();
        for (String each : OPENED_PACKAGES) {
            options.add("--add-opens=java.base/" + each + "=ALL-UNNAMED");
        }
        options.addAll(OTHER_OPTIONS);
        options.add("-Xms" + settings.heapBytes());
        options.add("-Xmx" + settings.heapBytes());
        return options;
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
