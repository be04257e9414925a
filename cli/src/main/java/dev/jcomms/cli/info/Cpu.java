package dev.jcomms.cli.info;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The processor's model: Java does not know it. */
final class Cpu {
  private static final Path FILE = Path.of("/proc/cpuinfo");

  private Cpu() {}

  static String model() {
    return fromKernel().or(Cpu::fromTool).orElse(System.getProperty("os.arch"));
  }

  private static Optional<String> fromKernel() {
    try (Stream<String> lines = Files.lines(FILE, StandardCharsets.ISO_8859_1)) {
      return value(lines, "model name");
    } catch (IOException | java.io.UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /** On ARM the kernel gives numbers only, and this tool knows their names. */
  private static Optional<String> fromTool() {
    try {
      ProcessBuilder builder = new ProcessBuilder("lscpu").redirectErrorStream(true);
      builder.environment().put("LC_ALL", "C");
      Process process = builder.start();
      process.getOutputStream().close();
      try (InputStream in = process.getInputStream()) {
        return value(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines(), "Model name");
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> value(Stream<String> lines, String key) {
    return lines
        .filter(line -> line.startsWith(key) && line.contains(":"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .filter(text -> !text.isEmpty() && !text.equals("-"))
        .findFirst();
  }
}
