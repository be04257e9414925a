package dev.jcomms.examples;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The {@code jcomms} command as a process of its own, on the modules of this build. */
final class Command {
  private static final int DEADLINE_SECONDS = 180;

  /** How a command ended; the lines of stdout and stderr as they came. */
  record Result(int status, List<String> lines) {
    /** The lines that ranks wrote, without the launcher's prefix, sorted: ranks race. */
    List<String> ofRanks() {
      return lines.stream()
          .filter(line -> line.matches("\\[\\d+\\] .*"))
          .map(line -> line.substring(line.indexOf(' ') + 1))
          .sorted()
          .toList();
    }
  }

  private Command() {}

  static Result jcomms(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.add("--enable-native-access=dev.jcomms,dev.jcomms.cli,dev.jcomms.tensor");
    words.addAll(List.of("-p", modulePath(), "-m", "dev.jcomms.cli/dev.jcomms.cli.Main"));
    words.addAll(List.of(arguments));
    Path output = Files.createTempFile(Path.of("target"), "output", ".txt");
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("JCOMMS_CACHE", Path.of("target/cache").toAbsolutePath().toString());
    builder.environment().put("NO_COLOR", "1");
    Process process = builder.start();
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      process.destroy();
      throw new AssertionError(
          List.of(arguments) + " did not end; so far: " + Files.readString(output));
    }
    return new Result(process.exitValue(), Files.readAllLines(output));
  }

  /** Of all that the tests run on, what the command needs: folders of classes, or jars. */
  static String modulePath() {
    String all =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return String.join(
        File.pathSeparator,
        Stream.of(all.split(File.pathSeparator))
            .filter(entry -> !entry.contains("test-classes"))
            .filter(
                entry -> entry.endsWith("classes") || entry.matches(".*/(jcomms|picocli)-[^/]*"))
            .toList());
  }
}
