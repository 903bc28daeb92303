package dev.headrace.ray;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One scenario of {@code tests/contract/scenarios.txt}; the README beside it says what the lines mean.
 *
 * @param steps in order; those inside {@code fails} belong to it
 */
record Scenario(String name, int ranks, long memoryBytes, List<Step> steps) {

    private static final int DEFAULT_RANKS = 2;
    private static final int DEFAULT_MEMORY_MIB = 64;

    /** One line: a verb and its words, and the indented lines below it. */
    record Step(int line, List<String> words, List<Step> inner) {

        String verb() {
            return words.getFirst();
        }

        String word(int place) {
            return words.get(place);
        }

        int number(int place) {
            return Integer.parseInt(words.get(place));
        }

        /** What stands behind the words before that place. */
        List<String> rest(int place) {
            return words.subList(place, words.size());
        }

        @Override
        public String toString() {
            return "line " + line + ": " + String.join(" ", words);
        }
    }

    /** The file of the repository that this build belongs to. */
    static Path file() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("tests/contract/scenarios.txt"))) {
            here = here.getParent();
            if (here == null) {
                throw new IllegalStateException("tests/contract/scenarios.txt lies in no folder above the working one");
            }
        }
        return here.resolve("tests/contract/scenarios.txt");
    }

    static List<Scenario> read(Path file) throws IOException {
        List<Scenario> scenarios = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            String text = line.replaceFirst("#.*", "").stripTrailing();
            if (text.isBlank()) {
                continue;
            }
            Step step = new Step(number, Arrays.asList(text.strip().split(" +")), new ArrayList<>());
            if (step.verb().equals("scenario") && !steps.isEmpty()) {
                scenarios.add(of(steps));
                steps.clear();
            }
            if (text.startsWith(" ")) {
                steps.getLast().inner().add(step);
            } else {
                steps.add(step);
            }
        }
        scenarios.add(of(steps));
        return scenarios;
    }

    private static Scenario of(List<Step> lines) {
        int ranks = DEFAULT_RANKS;
        int memoryMib = DEFAULT_MEMORY_MIB;
        List<Step> steps = new ArrayList<>();
        for (Step step : lines.subList(1, lines.size())) {
            switch (step.verb()) {
                case "ranks" -> ranks = step.number(1);
                case "memory" -> memoryMib = step.number(1);
                default -> steps.add(step);
            }
        }
        String name = String.join(" ", lines.getFirst().rest(1));
        return new Scenario(name, ranks, (long) memoryMib << 20, List.copyOf(steps));
    }

    /** Whether another scenario may go on with the ranks of this one. */
    boolean leavesRanksWhole() {
        return steps.stream().noneMatch(step -> step.verb().equals("kill"));
    }

    @Override
    public String toString() {
        return name;
    }
}
