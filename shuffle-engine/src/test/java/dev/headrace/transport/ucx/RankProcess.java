package dev.headrace.transport.ucx;

import dev.headrace.HeadraceException;
import dev.headrace.memory.SharedRegion;
import dev.headrace.transport.PeerId;
import dev.headrace.transport.Traffic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A rank in a JVM of its own, for tests that kill it: exchanges bodies with every peer it is connected to, without end,
 * and checks each byte. Takes commands on its standard input, answers on its standard output, and ends with its input.
 */
final class RankProcess {
    private static final long REGION_BYTES = 64 << 20;

    private final PrintStream out;
    private final Queue<String> commands = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    private RankProcess(PrintStream out) {
        this.out = out;
    }

    /** Arguments: rank, incarnation, directory of UCX, key, peer timeout in ms, whether bodies go by shared memory. */
    public static void main(String[] arguments) throws Exception {
        new RankProcess(System.out).run(arguments);
    }

    private void run(String[] arguments) throws Exception {
        PeerId self = new PeerId(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]));
        UcxSettings settings = UcxSettings.of(
                Path.of(arguments[2]),
                "lo",
                JobKey.parse(arguments[3]),
                Duration.ofMillis(Long.parseLong(arguments[4])),
                Duration.ofSeconds(5),
                Boolean.parseBoolean(arguments[5]));
        try (SharedRegion region = SharedRegion.create(REGION_BYTES);
                UcxTransport transport = new UcxTransport(self, settings, region)) {
            Traffic traffic = new Traffic(transport, region.segment(), this::say);
            transport.start(traffic);
            Thread.ofPlatform().daemon().name("commands").start(() -> read(transport));
            say("ADDRESS " + HexFormat.of().formatHex(transport.address()));
            while (!ended) {
                int done = transport.progress();
                for (String command = commands.poll(); command != null; command = commands.poll()) {
                    obey(command.split(" ", -1), transport, traffic);
                    done++;
                }
                done += traffic.sendMore();
                if (done == 0 && !ended) {
                    transport.await(TimeUnit.SECONDS.toNanos(1));
                }
            }
        } catch (HeadraceException e) {
            say("FAILED " + e);
        }
    }

    private void obey(String[] command, UcxTransport transport, Traffic traffic) throws IOException {
        switch (command[0]) {
            case "connect" ->
                transport.connect(
                        new PeerId(Integer.parseInt(command[1]), Long.parseLong(command[2])),
                        HexFormat.of().parseHex(command[3]));
            case "quiet" -> traffic.quiet();
            case "statistics" ->
                say("STATISTICS " + traffic.received() + " " + traffic.damaged() + " "
                        + entries("/proc/self/fd") + " " + entries("/proc/self/task") + " "
                        + Files.readAllLines(Path.of("/proc/self/maps")).size() + " " + residentKibibytes() + " "
                        + transport.counts().quarantined() + " "
                        + transport.counts().sharedSlabBodies());
            default -> say("FAILED unknown command " + String.join(" ", command));
        }
    }

    private void read(UcxTransport transport) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                commands.add(line);
                transport.wakeUp();
            }
        } catch (IOException e) {
            say("FAILED " + e);
        }
        ended = true;
        transport.wakeUp();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private static long entries(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(directory))) {
            return entries.count();
        }
    }

    private static long residentKibibytes() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/status"));
        String line = lines.stream()
                .filter(each -> each.startsWith("VmRSS"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
