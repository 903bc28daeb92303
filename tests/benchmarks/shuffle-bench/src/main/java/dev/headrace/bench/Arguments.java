package dev.headrace.bench;

import dev.headrace.engine.EngineConfig;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line; {@link #settings} gives what it asks for, checked. Short names are those of RapidsMPF. */
@Command(
        name = "headrace bench",
        description = {
            "Shuffles random tables again and again, and sets the time against a copy of the same bytes.",
            "Short names are those of RapidsMPF's bench_shuffle."
        },
        sortOptions = false,
        showDefaultValues = true,
        usageHelpAutoWidth = true,
        mixinStandardHelpOptions = false)
final class Arguments {
    private static final int MOST_RANKS = 1_000;
    private static final int DEFAULT_COLUMNS = 10;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-C", "--communicator"},
            description = "${COMPLETION-CANDIDATES}; with ucx each rank is a process")
    private Communicator communicator = Communicator.IN_PROCESS;

    @Option(names = "--ranks", description = "how many ranks")
    private int ranks = 2;

    @Option(names = "--threads", description = "threads of each rank that insert and fetch")
    private int threads = 1;

    @Option(
            names = {"-c", "--columns"},
            description = "how many columns; 10, or 16 of lineitem",
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private int columns;

    @Option(names = "--type", description = "of the columns: ${COMPLETION-CANDIDATES}")
    private TableKind type = TableKind.INT32;

    @Option(
            names = {"-n", "--rows"},
            description = "rows of each rank")
    private long rows = 1_000_000;

    @Option(
            names = {"-p", "--input-partitions"},
            description = "tables that the rows of each rank come in")
    private int inputPartitions = 1;

    @Option(
            names = {"-o", "--output-partitions"},
            description = "partitions of each rank")
    private int outputPartitions = 8;

    @Option(names = "--batch-rows", description = "the most rows of a batch; a table is cut into so many")
    private int batchRows = 65_536;

    @Option(
            names = {"-g", "--pre-partitioned"},
            description = "rows of a batch lie in the order of their partitions before the clock starts")
    private boolean prePartitioned;

    @Option(
            names = {"-s", "--discard-output"},
            description = "release each partition when it was fetched, as a stream does, not all at the end")
    private boolean discardOutput;

    @Option(names = "--plan", description = "${COMPLETION-CANDIDATES}; auto means direct")
    private Plan plan = Plan.AUTO;

    @Option(
            names = "--memory-limit",
            paramLabel = "SIZE",
            converter = ByteSize.class,
            description = "of each rank, for example 256MiB (default: enough to spill nothing)",
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private long memoryLimitBytes;

    @Option(
            names = "-l",
            paramLabel = "MIB",
            description = "the same in MiB",
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private long memoryLimitMib;

    @Option(
            names = {"-m", "--memory-resource"},
            description = "${COMPLETION-CANDIDATES}: memory kept from run to run, or new for each")
    private MemoryResource memoryResource = MemoryResource.POOL;

    @Option(names = "--spill-directory", description = "may be given several times")
    private List<Path> spillDirectories = List.of(Path.of(System.getProperty("java.io.tmpdir")));

    @Option(
            names = {"-r", "--runs"},
            description = "runs that are measured")
    private int runs = 10;

    @Option(
            names = {"-w", "--warmups"},
            description = "runs before them")
    private int warmups = 3;

    @Option(
            names = {"-x", "--memory-profile"},
            description = "say who took how much memory")
    private boolean memoryProfile;

    @Option(names = "--json", description = "let the last line be one JSON object")
    private boolean json;

    @Option(
            names = "--native-directory",
            description = "of UCX's libraries (default: the environment's HEADRACE_UCX)",
            defaultValue = "${env:HEADRACE_UCX:-}",
            showDefaultValue = CommandLine.Help.Visibility.NEVER)
    private String nativeDirectory = "";

    @Option(names = "--net-devices", description = "that UCX uses, by its names")
    private String netDevices = "lo";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this")
    private boolean help;

    boolean memoryProfile() {
        return memoryProfile;
    }

    boolean json() {
        return json;
    }

    boolean help() {
        return help;
    }

    /** A parser for a new set of arguments. */
    static CommandLine parser(Arguments arguments) {
        return new CommandLine(arguments)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Communicator.class, word -> named(Communicator.values(), word))
                .registerConverter(TableKind.class, word -> named(TableKind.values(), word))
                .registerConverter(Plan.class, word -> named(Plan.values(), word))
                .registerConverter(MemoryResource.class, word -> named(MemoryResource.values(), word));
    }

    private static <T extends Enum<T>> T named(T[] values, String word) {
        for (T value : values) {
            if (value.toString().equals(word)) {
                return value;
            }
        }
        throw new TypeConversionException("'" + word + "' is none of " + List.of(values));
    }

    BenchSettings settings() {
        atLeast(1, "--ranks", ranks);
        atLeast(1, "--threads", threads);
        atLeast(0, "--rows", rows);
        atLeast(1, "--input-partitions", inputPartitions);
        atLeast(1, "--output-partitions", outputPartitions);
        atLeast(1, "--batch-rows", batchRows);
        atLeast(1, "--runs", runs);
        atLeast(0, "--warmups", warmups);
        check(ranks <= MOST_RANKS, "--ranks is " + ranks + ", at most " + MOST_RANKS + " are possible");
        check(columns >= 0, "--columns is " + columns + ", must be at least 1");
        check(columns == 0 || type.hasAnyColumns(), "--columns is " + columns + ", but " + type + " has its own");
        check(memoryLimitMib == 0 || memoryLimitBytes == 0, "--memory-limit and -l are the same: give one");
        long limit = Math.max(memoryLimitBytes, memoryLimitMib << 20);
        long least = EngineConfig.leastMemoryBytes(ranks);
        check(limit == 0 || limit >= least, "--memory-limit is " + limit + " bytes, " + ranks + " ranks need " + least);
        boolean needsUcx = communicator.hasProcesses();
        check(!needsUcx || !nativeDirectory.isEmpty(), "--native-directory is missing: where UCX's libraries are");
        Workload workload = new Workload(
                type,
                columns == 0 ? DEFAULT_COLUMNS : columns,
                rows,
                inputPartitions,
                batchRows,
                Math.multiplyExact(ranks, outputPartitions),
                prePartitioned);
        return new BenchSettings(
                communicator,
                workload,
                ranks,
                threads,
                limit,
                spillDirectories,
                memoryResource,
                discardOutput,
                plan,
                runs,
                warmups,
                Path.of(nativeDirectory),
                netDevices);
    }

    private void atLeast(long least, String name, long value) {
        check(value >= least, name + " is " + value + ", must be at least " + least);
    }

    private void check(boolean right, String message) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), message);
        }
    }
}
