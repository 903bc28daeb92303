package dev.headrace.ray;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;

/** Where this copy of Headrace is installed: in a Python environment its jar lies beside UCX's libraries. */
final class Installation {

    private Installation() {}

    /** The jar that this class was loaded from; none if it came from a directory, as in a build. */
    static List<Path> jars() {
        CodeSource source = Installation.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return List.of();
        }
        try {
            Path place = Path.of(source.getLocation().toURI());
            return Files.isRegularFile(place) ? List.of(place) : List.of();
        } catch (URISyntaxException | IllegalArgumentException notAFile) {
            return List.of();
        }
    }

    /** {@code site-packages/libucx/lib} seen from {@code site-packages/headrace/jars/}; empty if it is not there. */
    static String nativeDirectory() {
        for (Path jar : jars()) {
            Path libraries = jar.resolveSibling("../../libucx/lib").normalize();
            if (Files.isDirectory(libraries)) {
                return libraries.toString();
            }
        }
        return "";
    }
}
