package dev.headrace.bench;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.transport.ucx.JobKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The program of one rank, the other end of a {@link ProcessRank}; ends when its input does. */
final class RankProcess {
    static final String STEP = "step";
    static final String DONE = "done";
    static final String FAILED = "failed";

    private final BenchRank rank;
    private final PrintStream answers;

    private RankProcess(BenchRank rank, PrintStream answers) {
        this.rank = rank;
        this.answers = answers;
    }

    public static void main(String[] commandLine) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err); // whoever logs must not get between the answers
        Arguments arguments = new Arguments();
        Arguments.parser(arguments).parseArgs(commandLine);
        BenchSettings settings = arguments.settings();
        BufferedReader calls = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String first = calls.readLine();
        if (first == null) {
            return;
        }
        String[] words = first.split(" ", -1);
        Transports transports = new Transports(settings, JobKey.parse(words[1]));
        try (LocalRank rank = new LocalRank(settings, Integer.parseInt(words[0]), transports)) {
            RankProcess process = new RankProcess(rank, answers);
            for (String call = calls.readLine(); call != null; call = calls.readLine()) {
                process.answer(call);
            }
        }
    }

    private void answer(String call) {
        String answer;
        try {
            answer = DONE + " " + result(call.split(" ", -1));
        } catch (RuntimeException e) {
            Category category = e instanceof HeadraceException known ? known.category() : Category.INTERNAL;
            answer = FAILED + " " + category.name() + " "
                    + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
        answers.println(answer);
        answers.flush();
    }

    private String result(String[] call) {
        return switch (call[0]) {
            case "prepare" -> String.valueOf(rank.prepare());
            case "start" -> HexFormat.of().formatHex(rank.start());
            case "connect" -> nothing(() -> rank.connect(addresses(call)));
            case "open" -> nothing(() -> rank.open(Long.parseLong(call[1])));
            case "shuffle" -> nothing(() -> rank.shuffle(() -> answers.println(STEP)));
            case "close-shuffle" -> nothing(rank::closeShuffle);
            case "figures" -> rank.figures().format();
            case "stop" -> nothing(rank::stop);
            case "listen" -> HexFormat.of().formatHex(rank.listen());
            case "probe" -> String.valueOf(rank.probe(addresses(call)));
            case "hang-up" -> nothing(rank::hangUp);
            default -> throw new IllegalArgumentException("no such call: " + call[0]);
        };
    }

    private static String nothing(Runnable call) {
        call.run();
        return "";
    }

    private static List<byte[]> addresses(String[] call) {
        return Arrays.stream(call).skip(1).map(HexFormat.of()::parseHex).toList();
    }
}
