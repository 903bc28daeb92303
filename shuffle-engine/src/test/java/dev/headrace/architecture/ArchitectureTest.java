package dev.headrace.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The conventions of the code that a machine can check. */
@AnalyzeClasses(packages = "dev.headrace", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final int MAX_LINES = 400;

    @ArchTest
    static final ArchRule IMPORTS_POINT_ONE_WAY = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("engine")
            .definedBy("dev.headrace.engine..")
            .layer("exchange")
            .definedBy("dev.headrace.exchange..")
            .layer("transport")
            .definedBy("dev.headrace.transport..")
            .layer("spill")
            .definedBy("dev.headrace.spill..")
            .layer("pack")
            .definedBy("dev.headrace.pack..")
            .layer("partition")
            .definedBy("dev.headrace.partition..")
            .layer("table")
            .definedBy("dev.headrace.table..")
            .layer("memory")
            .definedBy("dev.headrace.memory..")
            .whereLayer("engine")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("exchange")
            .mayOnlyBeAccessedByLayers("engine")
            .whereLayer("transport")
            .mayOnlyBeAccessedByLayers("engine", "exchange")
            .whereLayer("spill")
            .mayOnlyBeAccessedByLayers("engine", "exchange")
            .whereLayer("pack")
            .mayOnlyBeAccessedByLayers("engine", "exchange")
            .whereLayer("partition")
            .mayOnlyBeAccessedByLayers("engine")
            .whereLayer("table")
            .mayOnlyBeAccessedByLayers("engine", "exchange", "pack", "partition")
            .whereLayer("memory")
            .mayOnlyBeAccessedByLayers("engine", "exchange", "transport", "spill");

    @ArchTest
    static final ArchRule RAW_ADDRESSES_STAY_IN_TWO_PLACES = noClasses()
            .that()
            .resideOutsideOfPackages("dev.headrace.memory..", "dev.headrace.transport.ucx..")
            .should()
            .callMethod(MemorySegment.class, "reinterpret", long.class)
            .orShould()
            .callMethod(MemorySegment.class, "ofAddress", long.class);

    @ArchTest
    static final ArchRule NO_PACKAGE_FOR_ODDS_AND_ENDS =
            noClasses().should().resideInAnyPackage("..util..", "..common..", "..impl..");

    @ArchTest
    static final ArchRule ENGINE_KNOWS_NO_RAY =
            classes().should().onlyDependOnClassesThat().resideOutsideOfPackage("io.ray..");

    @Test
    void shouldHaveAPageForEveryPackage() throws IOException {
        List<Path> without = new ArrayList<>();
        try (Stream<Path> folders = Files.walk(SOURCES.resolve(Path.of("dev", "headrace")))) {
            for (Path folder : folders.filter(Files::isDirectory).toList()) {
                if (!Files.exists(folder.resolve("package-info.java"))) {
                    without.add(folder);
                }
            }
        }
        assertThat(without).isEmpty();
    }

    @Test
    void shouldKeepFilesShort() throws IOException {
        List<String> longOnes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                int lines = Files.readAllLines(file).size();
                if (lines > MAX_LINES) {
                    longOnes.add(file + ": " + lines);
                }
            }
        }
        assertThat(longOnes).isEmpty();
    }
}
