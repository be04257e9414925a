package dev.jcomms.jccl.internal.reduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs that were started without the module of vectors. */
final class VectorModuleTest {
  private static final String NATIVE = "--enable-native-access=dev.jcomms.jccl";
  private static final String REACH = "--add-exports=java.base/jdk.internal.module=dev.jcomms.jccl";

  @TempDir Path folder;

  @Test
  void theModuleIsFetchedWhenItIsNeededAndNothingIsSaid() throws Exception {
    assertThat(run(NATIVE, REACH))
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("at first false, likely true"),
            line -> assertThat(line).matches("jdk\\.incubator\\.vector, \\d+ bits \\(.+\\)"),
            line -> assertThat(line).isEqualTo("FloatKernel true"),
            line -> assertThat(line).isEqualTo("VectorKernel true"));
  }

  @Test
  void outOfReachItIsDoneWithout() throws Exception {
    assertThat(run(NATIVE))
        .containsExactly(
            "at first false, likely false",
            "off: the JVM was started without --add-modules jdk.incubator.vector");
  }

  @Test
  void withoutItsCompilerAJvmDoesNotFetchIt() throws Exception {
    List<String> lines = run(NATIVE, REACH, "-XX:TieredStopAtLevel=1");
    assertThat(lines.getFirst()).isEqualTo("at first false, likely false");
    assertThat(lines.getLast()).startsWith("off: the JVM runs without its optimising compiler");
  }

  private List<String> run(String... options) throws Exception {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of(options));
    words.addAll(List.of("-p", System.getProperty("jdk.module.path")));
    words.add("--patch-module=dev.jcomms.jccl=" + Path.of("target", "test-classes"));
    words.add("--add-reads=dev.jcomms.jccl=ALL-UNNAMED");
    words.addAll(List.of("-cp", System.getProperty("java.class.path")));
    words.addAll(List.of("-m", "dev.jcomms.jccl/" + LateVectors.class.getName()));
    File output = folder.resolve("output").toFile();
    Process process =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(output.toPath());
  }
}
