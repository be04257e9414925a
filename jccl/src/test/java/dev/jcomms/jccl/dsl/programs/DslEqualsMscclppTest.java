package dev.jcomms.jccl.dsl.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jcomms.jccl.dsl.CollectiveProgram;
import dev.jcomms.jccl.plan.Finding;
import dev.jcomms.jccl.plan.TestPlans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs written the same way in our DSL and in MSCCL++'s give the same plan. */
class DslEqualsMscclppTest {
  static List<Path> files() {
    return TestPlans.ofMscclpp();
  }

  static List<String> names() {
    return List.copyOf(Programs.byFile().keySet());
  }

  @ParameterizedTest
  @MethodSource("files")
  void jsonIsEqualButForTheOrderOfKeys(Path file) throws IOException {
    String name = file.getFileName().toString().replace(".json", "");
    Supplier<CollectiveProgram> program = Programs.byFile().get(name);
    assertTrue(program != null, "no program of ours makes " + file);
    assertEquals(
        TestPlans.sorted(Files.readString(file)),
        TestPlans.sorted(program.get().plan().toJson()),
        name);
  }

  @ParameterizedTest
  @MethodSource("names")
  void theSameProgramGivesTheSameBytesAgain(String name) {
    Supplier<CollectiveProgram> program = Programs.byFile().get(name);
    assertEquals(program.get().plan().toJson(), program.get().plan().toJson());
  }

  @Test
  void plansOfCollectivesAreValid() {
    Programs.byFile()
        .forEach(
            (name, program) -> {
              List<Finding> errors =
                  program.get().plan().validate().stream()
                      .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                      .toList();
              // Two unit programs signal on channels that nobody waits on, and two flush one-sided.
              assertTrue(name.startsWith("unit_") || errors.isEmpty(), name + ": " + errors);
            });
  }
}
