package dev.headrace.examples;

import dev.headrace.HeadraceException;
import dev.headrace.ray.RayPartition;
import dev.headrace.ray.RayShuffle;
import dev.headrace.ray.ShuffleDriver;
import dev.headrace.ray.ShuffleRequest;
import io.ray.api.Ray;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Joins TPC-H's partsupp and lineitem on part and supplier. Two shuffles by the same keys and with the same number of
 * partitions put rows that match into partitions of the same number, so each pair of partitions is joined by itself, in
 * little memory:
 *
 * <pre>
 * java -cp ray_dist.jar:headrace.jar:examples.jar dev.headrace.examples.JoinFiles \
 *     --address 127.0.0.1:6379 --partsupp ps.arrow --lineitem l0.arrow,l1.arrow --partitions 16 --out DIRECTORY
 * </pre>
 *
 * <p>Writes {@code join-00000.csv} and so on: order key, line number, part key, supplier key, available quantity.
 */
public final class JoinFiles {

    private static final List<String> PARTSUPP_KEYS = List.of("ps_partkey", "ps_suppkey");
    private static final List<String> LINEITEM_KEYS = List.of("l_partkey", "l_suppkey");

    private JoinFiles() {}

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
        int partitions = options.number("partitions", 16);
        Path directory = Files.createDirectories(Path.of(options.text("out")));
        System.setProperty("ray.address", options.text("address"));
        Ray.init();
        try (ShuffleDriver driver = ShuffleDriver.start(options.driver());
                RayShuffle partsupp = driver.shuffle(ShuffleRequest.hash(PARTSUPP_KEYS, partitions));
                RayShuffle lineitem = driver.shuffle(ShuffleRequest.hash(LINEITEM_KEYS, partitions))) {
            feed(partsupp, options.paths("partsupp"));
            feed(lineitem, options.paths("lineitem"));
            long joined = 0;
            for (int number = 0; number < partitions; number++) {
                Path file = directory.resolve(String.format(Locale.ROOT, "join-%05d.csv", number));
                joined += join(partsupp.partition(number), lineitem.partition(number), file);
            }
            System.out.println(partsupp.rows() + " rows of partsupp, " + lineitem.rows() + " rows of lineitem, "
                    + joined + " joined");
        } finally {
            Ray.shutdown();
        }
    }

    private static void feed(RayShuffle shuffle, List<Path> files) throws IOException {
        for (Path file : files) {
            shuffle.insert(Files.readAllBytes(file));
        }
        shuffle.finish();
    }

    private static long join(RayPartition partsupp, RayPartition lineitem, Path file) throws IOException {
        long joined;
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            PartSupplies supplies = PartSupplies.read(PartitionTable.fetch(partsupp));
            joined = supplies.join(PartitionTable.fetch(lineitem), out);
        }
        partsupp.release();
        lineitem.release();
        return joined;
    }
}
