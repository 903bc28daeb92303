package dev.headrace.ray;

import dev.headrace.Category;
import dev.headrace.HeadraceException;
import dev.headrace.engine.Rule;
import dev.headrace.ray.Scenario.Step;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs one {@link Scenario} on a driver; throws {@link AssertionError} with the line where it goes wrong. */
final class ScenarioRun {

    private static final Duration FAILURE_WITHIN = Duration.ofSeconds(5);
    private static final Duration SHUFFLE_TIMEOUT = Duration.ofMinutes(2);

    private final ShuffleDriver driver;
    private final IntConsumer kill;
    private final Map<String, Opened> shuffles = new HashMap<>();

    ScenarioRun(ShuffleDriver driver, IntConsumer kill) {
        this.driver = driver;
        this.kill = kill;
    }

    void run(Scenario scenario) {
        for (Step step : scenario.steps()) {
            if (step.verb().equals("fails")) {
                expectFailure(step);
            } else {
                try {
                    run(step);
                } catch (HeadraceException | AssertionError failure) {
                    throw new AssertionError("'" + scenario + "', " + step + ": " + failure, failure);
                }
            }
        }
    }

    private void expectFailure(Step expected) {
        for (Step step : expected.inner()) {
            long start = System.nanoTime();
            HeadraceException failure = failureOf(step);
            if (failure == null) {
                continue;
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
            for (String word : expected.rest(2)) {
                require(message.contains(word.toLowerCase(Locale.ROOT)), step + " says: " + failure.getMessage());
            }
            require(
                    failure.category() == Category.valueOf(expected.word(1)),
                    step + " fails with " + failure.category() + ": " + failure.getMessage());
            require(took.compareTo(FAILURE_WITHIN) < 0, step + " took " + took);
            return;
        }
        throw new AssertionError(expected + ": nothing failed");
    }

    private @Nullable HeadraceException failureOf(Step step) {
        try {
            run(step);
            return null;
        } catch (HeadraceException failure) {
            return failure;
        }
    }

    private void run(Step step) {
        switch (step.verb()) {
            case "open" -> open(step);
            case "kill" -> kill.accept(step.number(1));
            default -> {
                Opened opened = Objects.requireNonNull(shuffles.get(step.word(1)), step + ": no such shuffle");
                run(step, opened);
            }
        }
    }

    private void open(Step step) {
        String[] keys = step.word(3).equals("-") ? new String[0] : step.word(3).split(",");
        Rule rule = new RuleWords(step.word(2), keys, new byte[keys.length], new byte[0], 7).rule();
        ShuffleRequest request = ShuffleRequest.of(rule, step.number(4)).withTimeout(SHUFFLE_TIMEOUT);
        shuffles.put(step.word(1), new Opened(driver.shuffle(request), keys.length > 0));
    }

    private static void run(Step step, Opened opened) {
        RayShuffle shuffle = opened.shuffle;
        switch (step.verb()) {
            case "insert" -> opened.insert(step);
            case "finish" -> shuffle.finish();
            case "rows" -> require(shuffle.rows() == step.number(2), shuffle.rows() + " rows were fed");
            case "all" -> opened.takeAll();
            case "read" -> opened.read(step.number(2));
            case "release" -> opened.held(step.number(2)).release();
            case "abort" ->
                shuffle.abort(HeadraceException.internal(
                        String.join(" ", step.rest(2)), new IllegalStateException("a scenario")));
            case "close" -> shuffle.close();
            default -> throw new AssertionError(step + ": unknown verb");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    /** A shuffle and what the scenario has seen of it. */
    private static final class Opened {
        private final RayShuffle shuffle;
        private final boolean keysTogether;
        private final Map<Integer, RayPartition> held = new HashMap<>();
        private final Map<Integer, byte[]> seen = new HashMap<>();
        private long rows;

        Opened(RayShuffle shuffle, boolean keysTogether) {
            this.shuffle = shuffle;
            this.keysTogether = keysTogether;
        }

        void insert(Step step) {
            int size = step.words().size() > 3 ? step.number(3) : 0;
            byte[] batch = switch (step.word(2)) {
                case "good" -> TestBatches.good(rows, size);
                case "empty" -> TestBatches.good(0, 0);
                case "other-type" -> TestBatches.otherType(rows, size);
                case "corrupt" -> TestBatches.corrupt(size);
                case "nothing" -> new byte[0];
                default -> throw new AssertionError(step + ": unknown batch");
            };
            shuffle.insert(batch);
            if (step.word(2).equals("good")) {
                rows += size;
            }
        }

        void takeAll() {
            ShuffleCheck check = new ShuffleCheck(keysTogether);
            for (RayPartition partition = shuffle.next(); partition != null; partition = shuffle.next()) {
                check.partition(partition.number(), bytes(partition));
                partition.release();
            }
            check.finish(shuffle.partitions(), rows);
        }

        void read(int number) {
            RayPartition partition = shuffle.partition(number);
            held.put(number, partition);
            byte[] now = bytes(partition);
            byte[] before = seen.put(number, now);
            require(before == null || Arrays.equals(before, now), "partition " + number + " changed");
        }

        RayPartition held(int number) {
            return Objects.requireNonNull(held.get(number), "partition " + number + " was not read");
        }

        private static byte[] bytes(RayPartition partition) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                partition.writeTo(bytes);
            } catch (IOException cause) {
                throw new UncheckedIOException(cause);
            }
            return bytes.toByteArray();
        }
    }
}
