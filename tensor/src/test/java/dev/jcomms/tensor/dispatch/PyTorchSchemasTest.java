package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every schema that the PyTorch of {@code JCOMMS_PYTHON} knows; without the variable the tests are
 * skipped, and say so.
 */
@Timeout(120)
final class PyTorchSchemasTest {
  @Test
  void everySchemaOfItsRegistryIsPrintedBack() throws Exception {
    List<String> refused = new ArrayList<>();
    List<String> schemas = ask("registered");
    for (String text : schemas) {
      try {
        Schema schema = Schema.parse(text);
        if (!schema.toString().equals(text)) refused.add(text + "\n  printed " + schema);
        schema.methodType();
        schema.arguments().stream().filter(Argument::hasDefault).forEach(Argument::defaultJava);
      } catch (RuntimeException e) {
        refused.add(text + "\n  " + e);
      }
    }
    assertThat(refused).isEmpty();
    assertThat(schemas).hasSizeGreaterThan(3000);
  }

  @Test
  void everyDeclarationIsReadAsItReadsIt() throws Exception {
    List<String> different = new ArrayList<>();
    List<String> lines = ask("declared");
    for (String line : lines) {
      String[] parts = line.split("\t", 3);
      Schema schema = Schema.parse(parts[0]);
      if (!schema.toString().equals(parts[1])) different.add(parts[1] + "\n  printed " + schema);
      if (schema.isMutable() != Boolean.parseBoolean(parts[2])) {
        different.add(schema + "\n  mutable " + schema.isMutable());
      }
    }
    assertThat(different).isEmpty();
    assertThat(lines).hasSizeGreaterThan(2000);
  }

  private static List<String> ask(String what) throws Exception {
    String python = System.getenv("JCOMMS_PYTHON");
    assumeTrue(python != null, "JCOMMS_PYTHON names no Python with PyTorch");
    Process process =
        new ProcessBuilder(python, "-W", "ignore", "src/test/python/schemas.py", what)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      return output.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
