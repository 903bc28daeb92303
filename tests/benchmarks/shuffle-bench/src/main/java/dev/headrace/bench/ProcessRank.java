package dev.headrace.bench;

import dev.headrace.Action;
import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.ucx.JobKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A rank in a process of its own, a {@link RankProcess}: a line to its standard input is a call, a line from its
 * standard output the answer. Started with this JVM's options and classes, and a rank's heap. One caller at a time.
 */
final class ProcessRank implements BenchRank {
    /** As much as a rank has in production. */
    private static final List<String> HEAP = List.of("-Xms256m", "-Xmx256m");

    private static final long EXIT_SECONDS = 10;

    private final int rank;
    private final Process process;
    private final PrintStream calls;
    private final BufferedReader answers;

    private ProcessRank(int rank, Process process) {
        this.rank = rank;
        this.process = process;
        this.calls = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** The key goes through the pipe, since other users can see command lines. */
    static ProcessRank start(int rank, JobKey key, List<String> commandLine) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(HEAP);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RankProcess.class.getName()));
        command.addAll(commandLine);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        try {
            ProcessRank started = new ProcessRank(rank, builder.start());
            started.calls.println(rank + " " + key.toHex());
            return started;
        } catch (IOException e) {
            throw HeadraceException.internal("can't start rank " + rank + ": " + e.getMessage(), e);
        }
    }

    private String call(String line) {
        return call(line, () -> {});
    }

    private String call(String line, Runnable step) {
        calls.println(line);
        try {
            String answer = answers.readLine();
            while (RankProcess.STEP.equals(answer)) {
                step.run();
                answer = answers.readLine();
            }
            if (answer == null) {
                throw HeadraceException.peerLost(rank, "the process of rank " + rank + " has ended");
            }
            if (answer.startsWith(RankProcess.FAILED)) {
                String[] words = answer.split(" ", 3);
                throw new HeadraceException(
                        Category.valueOf(words[1]), Action.FAIL_SHUFFLE, rank, "rank " + rank + ": " + words[2]);
            }
            return answer.substring(RankProcess.DONE.length()).strip();
        } catch (IOException e) {
            throw HeadraceException.peerLost(rank, "rank " + rank + " can't be read from: " + e.getMessage());
        }
    }

    private static String joined(List<byte[]> addresses) {
        return addresses.stream().map(HexFormat.of()::formatHex).collect(Collectors.joining(" "));
    }

    @Override
    public long prepare() {
        return Long.parseLong(call("prepare"));
    }

    @Override
    public byte[] start() {
        return HexFormat.of().parseHex(call("start"));
    }

    @Override
    public void connect(List<byte[]> addresses) {
        call("connect " + joined(addresses));
    }

    @Override
    public void open(long wireId) {
        call("open " + wireId);
    }

    @Override
    public void shuffle(Runnable step) {
        call("shuffle", step);
    }

    @Override
    public void closeShuffle() {
        call("close-shuffle");
    }

    @Override
    public Figures figures() {
        return Figures.parse(call("figures"));
    }

    @Override
    public void stop() {
        call("stop");
    }

    @Override
    public ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public byte[] listen() {
        return HexFormat.of().parseHex(call("listen"));
    }

    @Override
    public long probe(List<byte[]> addresses) {
        return Long.parseLong(call("probe " + joined(addresses)));
    }

    @Override
    public void hangUp() {
        call("hang-up");
    }

    /** The end of its input ends the process; one that goes on is ended. */
    @Override
    public void close() {
        calls.close();
        try {
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            answers.close();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw HeadraceException.internal("can't close the pipe from rank " + rank, e);
        }
    }
}
