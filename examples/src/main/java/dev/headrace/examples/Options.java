package dev.headrace.examples;

import dev.headrace.ray.DriverSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A program's arguments: {@code --name value}, each at most once. Immutable. */
record Options(Map<String, String> values) {

    /** Wrong arguments end a program with this status. */
    static final int WRONG_ARGUMENTS = 2;

    static Options parse(String[] arguments) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!arguments[i].startsWith("--") || i + 1 == arguments.length) {
                throw new IllegalArgumentException("expected --name value, not " + arguments[i]);
            }
            values.put(arguments[i].substring(2), arguments[i + 1]);
        }
        return new Options(Map.copyOf(values));
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + " is missing");
        }
        return value;
    }

    int number(String name, int otherwise) {
        String value = values.get(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    List<String> list(String name) {
        return Arrays.asList(text(name).split(","));
    }

    List<Path> paths(String name) {
        return list(name).stream().map(Path::of).toList();
    }

    /** Two ranks of 256 MiB that spill to the temporary directory, unless the arguments say otherwise. */
    DriverSettings driver() {
        String temporary = System.getProperty("java.io.tmpdir");
        List<Path> spill = values.containsKey("spill") ? paths("spill") : List.of(Path.of(temporary));
        DriverSettings settings = DriverSettings.of(number("ranks", 2), (long) number("memory-mib", 256) << 20, spill);
        return settings.withTransport(
                settings.transport(),
                values.getOrDefault("ucx", settings.nativeDirectory()),
                values.getOrDefault("devices", settings.netDevices()));
    }
}
