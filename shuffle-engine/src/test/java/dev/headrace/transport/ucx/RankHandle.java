package dev.headrace.transport.ucx;

import dev.headrace.transport.PeerId;
import dev.headrace.transport.TestRank;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A {@link RankProcess} as its test sees it. Kills only the process that it started. */
final class RankHandle implements AutoCloseable {
    private final PeerId self;
    private final Process process;
    private final PrintWriter in;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** What a rank says of itself. */
    record Statistics(
            long received,
            long damaged,
            long files,
            long threads,
            long maps,
            long residentKibibytes,
            long quarantined,
            long sharedSlabBodies) {}

    private RankHandle(PeerId self, Process process) {
        this.self = self;
        this.process = process;
        this.in = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        Thread.ofVirtual().start(() -> {
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                out.lines().forEach(lines::add);
            } catch (IOException | UncheckedIOException e) {
                lines.add("OUTPUT ENDED " + e.getMessage());
            }
        });
    }

    static RankHandle start(PeerId self, JobKey key, Duration peerTimeout, boolean sharedSlabs) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xms48m",
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                RankProcess.class.getName(),
                Integer.toString(self.rank()),
                Long.toString(self.incarnation()),
                UcxDirectory.require().toString(),
                key.toHex(),
                Long.toString(peerTimeout.toMillis()),
                Boolean.toString(sharedSlabs));
        try {
            return new RankHandle(
                    self, new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PeerId self() {
        return self;
    }

    long pid() {
        return process.pid();
    }

    void join(RankHandle peer) {
        connect(peer);
        peer.connect(this);
        awaitLine("CONNECTED " + peer.self.rank() + " " + peer.self.incarnation());
        peer.awaitLine("CONNECTED " + self.rank() + " " + self.incarnation());
    }

    void connect(RankHandle peer) {
        tell("connect " + peer.self.rank() + " " + peer.self.incarnation() + " " + peer.address());
    }

    String address() {
        return awaitLine("ADDRESS ").substring("ADDRESS ".length());
    }

    /** Waits for the loss and returns what was said about it. */
    String awaitLoss(RankHandle peer) {
        return awaitLine("LOST " + peer.self.rank() + " " + peer.self.incarnation() + " ");
    }

    long losses() {
        return lines.stream().filter(line -> line.startsWith("LOST ")).count();
    }

    Statistics statistics() {
        int before = lines.size();
        tell("statistics");
        TestRank.await(
                "statistics of " + this, () -> find(before, "STATISTICS ").isPresent());
        String[] words = find(before, "STATISTICS ").orElseThrow().split(" ", -1);
        long[] numbers = new long[words.length];
        for (int i = 1; i < words.length; i++) {
            numbers[i] = Long.parseLong(words[i]);
        }
        return new Statistics(
                numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8]);
    }

    void tell(String command) {
        in.println(command);
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Sends a signal of the given name. */
    void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String awaitLine(String start) {
        try {
            TestRank.await(start, () -> find(0, start).isPresent());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "from " + this + "\n" + stacks(), e);
        }
        return find(0, start).orElseThrow();
    }

    /** What the process is doing, for a person who looks at a wait that was in vain. */
    private String stacks() {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        try {
            Process dump = new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "no stacks: " + e;
        }
    }

    private Optional<String> find(int from, String start) {
        return lines.stream().skip(from).filter(line -> line.startsWith(start)).findFirst();
    }

    @Override
    public String toString() {
        return "process " + process.pid() + " of " + self + ", which said " + lines;
    }

    @Override
    public void close() {
        in.close();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                process.waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
