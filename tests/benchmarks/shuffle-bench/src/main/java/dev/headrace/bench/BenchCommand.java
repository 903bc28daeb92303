package dev.headrace.bench;

import dev.headrace.HeadraceException;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The program {@code headrace bench}. Exit status: 0 done, 1 failed, 2 wrong arguments. */
public final class BenchCommand {
    private static final int FAILED = 1;
    private static final int WRONG_ARGUMENTS = 2;

    private BenchCommand() {}

    public static void main(String[] commandLine) {
        PrintStream out = System.out;
        System.setOut(System.err); // the last line is the result, whatever is logged
        System.exit(run(List.of(commandLine), out));
    }

    static int run(List<String> commandLine, PrintStream out) {
        Arguments arguments = new Arguments();
        CommandLine parser = Arguments.parser(arguments);
        try {
            parser.parseArgs(commandLine.toArray(String[]::new));
            if (arguments.help()) {
                parser.usage(out);
                return 0;
            }
            run(arguments, commandLine, new Report(out), out);
            return 0;
        } catch (ParameterException e) {
            System.err.println("headrace bench: " + e.getMessage());
            return WRONG_ARGUMENTS;
        } catch (HeadraceException e) {
            System.err.println("headrace bench: " + e.category() + ": " + e.getMessage());
            return FAILED;
        }
    }

    private static void run(Arguments arguments, List<String> commandLine, Report report, PrintStream out) {
        BenchSettings settings = arguments.settings();
        report.begin(settings);
        Result result;
        try (ProgressBar bar = ProgressBar.onTerminal()) {
            result = Benchmark.run(settings, commandLine, bar);
        }
        for (int run = 0; run < settings.runs(); run++) {
            report.run(result, run);
        }
        report.end(result, arguments.memoryProfile());
        if (arguments.json()) {
            out.println(result.toJson());
        }
        out.flush();
    }
}
