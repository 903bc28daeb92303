package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.NativeLibs;

/**
 * UCX's libraries, loaded once per JVM by absolute path, so that neither {@code LD_LIBRARY_PATH} nor an installed UCX
 * plays a part.
 */
final class NativeLibraries {
    private static final String UCP = "libucp.so.0";
    private static final String JUCX = "libjucx_" + System.getProperty("os.arch") + ".so";

    /**
     * In the order in which they need each other; the names with the version, as UCX derives its modules' from them.
     */
    private static final List<String> NAMES = List.of("libucm.so.0", "libucs.so.0", "libuct.so.0", UCP);

    private static @Nullable Path loadedUcp;

    private NativeLibraries() {}

    /** Loads the libraries, unless that was done before, and returns the path of the one with the API. */
    @SuppressWarnings("restricted") // that is what it is for
    static synchronized Path load(Path nativeDirectory) {
        if (loadedUcp == null) {
            Path directory = directoryOf(nativeDirectory);
            try {
                // Back to back: some builds of UCX replace the JVM's signal handlers until jucx puts them back.
                for (String name : NAMES) {
                    System.load(directory.resolve(name).toString());
                }
                NativeLibs.load();
                removeExtractedLibrary();
            } catch (UnsatisfiedLinkError e) {
                throw HeadraceException.internal("can't load UCX from " + directory + ": " + e.getMessage(), e);
            }
            loadedUcp = directory.resolve(UCP);
        }
        return loadedUcp;
    }

    /**
     * jucx unpacks its library into a temporary directory that it removes at the end: a rank that is killed would leave
     * it behind. Once loaded, the file is not needed under its name.
     */
    private static void removeExtractedLibrary() {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            Optional<Path> library = maps.filter(line -> line.endsWith(JUCX) && line.contains("/jucx"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .findFirst();
            if (library.isPresent()) {
                Files.deleteIfExists(library.get());
                Files.deleteIfExists(library.get().getParent());
            }
        } catch (IOException e) {
            // It stays, then, until the end of the JVM.
        }
    }

    static Path directoryOf(Path given) {
        for (Path candidate : List.of(given, given.resolve("lib"))) {
            if (Files.isRegularFile(candidate.resolve(UCP))) {
                return candidate.toAbsolutePath().normalize();
            }
        }
        throw HeadraceException.invalidInput("native_directory " + given + " has no " + UCP + ", nor has its lib");
    }
}
