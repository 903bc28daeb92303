package dev.headrace.examples;

import dev.headrace.HeadraceException;
import dev.headrace.ray.RayPartition;
import dev.headrace.ray.RayShuffle;
import dev.headrace.ray.ShuffleDriver;
import dev.headrace.ray.ShuffleRequest;
import io.ray.api.Ray;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Shuffles Arrow IPC files, each of them one batch, by key columns, and writes one Arrow IPC stream per partition:
 *
 * <pre>
 * java -cp ray_dist.jar:headrace.jar:examples.jar dev.headrace.examples.ShuffleFiles \
 *     --address 127.0.0.1:6379 --in a.arrow,b.arrow --keys k --partitions 32 --out DIRECTORY
 * </pre>
 */
public final class ShuffleFiles {

    private ShuffleFiles() {}

    public static void main(String[] arguments) throws IOException {
        try {
            run(Options.parse(arguments));
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(Options.WRONG_ARGUMENTS);
        } catch (HeadraceException failure) {
            System.err.println(failure.category() + ": " + failure.getMessage());
            System.exit(1);
        }
    }

    private static void run(Options options) throws IOException {
        List<Path> files = options.paths("in");
        Path directory = Files.createDirectories(Path.of(options.text("out")));
        ShuffleRequest request = ShuffleRequest.hash(options.list("keys"), options.number("partitions", 32));
        System.setProperty("ray.address", options.text("address"));
        Ray.init();
        try (ShuffleDriver driver = ShuffleDriver.start(options.driver());
                RayShuffle shuffle = driver.shuffle(request)) {
            for (Path file : files) {
                shuffle.insert(Files.readAllBytes(file));
            }
            shuffle.finish();
            for (RayPartition partition = shuffle.next(); partition != null; partition = shuffle.next()) {
                write(partition, directory);
            }
            System.out.println(shuffle.rows() + " rows in " + shuffle.partitions() + " partitions; " + driver.rounds());
            driver.statistics().forEach(System.out::println);
        } finally {
            Ray.shutdown();
        }
    }

    private static void write(RayPartition partition, Path directory) throws IOException {
        Path file = directory.resolve(String.format(Locale.ROOT, "part-%05d.arrow", partition.number()));
        try (OutputStream out = Files.newOutputStream(file)) {
            partition.writeTo(out);
        }
        // Only now is it delivered: until here a failed write could have read it again.
        partition.release();
    }
}
