package dev.jcomms.testkit.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.jcomms.testkit.Tier;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * The cases of the device kit, run by PyTorch in one Python process and by us on the cpu: values,
 * dtypes, shapes, and whether a call is refused. Skipped unless {@code JCOMMS_PYTHON} names a
 * Python that has PyTorch.
 */
final class PyTorchOperatorsTest {
  private static final long DEADLINE_MINUTES = 10;

  @TestFactory
  Stream<DynamicNode> operatorsDoWhatTheyDoInPyTorch() throws Exception {
    String python = System.getenv("JCOMMS_PYTHON");
    assumeTrue(python != null, "JCOMMS_PYTHON names no Python with PyTorch");
    Tier tier = Tier.parse(System.getProperty("jcomms.check.tier", "quick"));
    Path folder = Files.createDirectories(Path.of("target", "pytorch"));
    Path questions = folder.resolve("cases.jsonl");
    Path answers = folder.resolve("results.txt");
    Map<String, List<Case>> asked = new LinkedHashMap<>();
    for (String name : DeviceRun.names()) {
      if (!name.startsWith("memory/")) {
        asked.put(name, DeviceRun.cases(name, tier, true));
      }
    }
    asked.put("edges", EdgeCases.all());
    try (BufferedWriter out = Files.newBufferedWriter(questions)) {
      for (List<Case> cases : asked.values()) {
        for (Case c : cases) {
          out.write(TorchCases.line(c));
          out.newLine();
        }
      }
    }
    Process process =
        new ProcessBuilder(
                python, "src/test/python/operators.py", questions.toString(), answers.toString())
            .inheritIO()
            .start();
    try {
      if (!process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES)) {
        fail("PyTorch did not end");
      }
    } finally {
      process.destroyForcibly();
    }
    assertEquals(0, process.exitValue());
    List<String> lines = Files.readAllLines(answers);
    assertEquals(asked.values().stream().mapToInt(List::size).sum(), lines.size());
    List<DynamicNode> tests = new ArrayList<>();
    int at = 0;
    for (Map.Entry<String, List<Case>> entry : asked.entrySet()) {
      List<String> mine = lines.subList(at, at += entry.getValue().size());
      tests.add(dynamicTest(entry.getKey(), () -> compare(entry.getValue(), mine)));
    }
    return tests.stream();
  }

  private static void compare(List<Case> cases, List<String> answers) {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < cases.size(); i++) {
      Case c = cases.get(i);
      Execution.Outcome theirs = TorchCases.outcome(answers.get(i));
      new Comparison(c, PyTorchTolerance.of(c))
          .difference(theirs, TorchCases.ours(c))
          .filter(_ -> KnownDifferences.why(c.name()).isEmpty())
          .ifPresent(what -> wrong.add(c.name() + " " + what));
    }
    if (!wrong.isEmpty()) {
      fail(
          wrong.size()
              + " of "
              + cases.size()
              + " cases differ from PyTorch\n  "
              + String.join("\n  ", wrong.subList(0, Math.min(25, wrong.size()))));
    }
  }
}
