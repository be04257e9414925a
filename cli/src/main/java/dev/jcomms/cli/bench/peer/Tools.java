package dev.jcomms.cli.bench.peer;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Other programs: where they are and what they say. */
final class Tools {
  private static final long DEADLINE_SECONDS = 120;

  /** How a short command ended, and all it said. */
  record Answer(int status, String text) {}

  private Tools() {}

  /** As a shell finds it. */
  static Optional<Path> find(String name, Map<String, String> environment) {
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path file = Path.of(folder.isEmpty() ? "." : folder, name);
      if (Files.isRegularFile(file) && Files.isExecutable(file)) {
        return Optional.of(file.toAbsolutePath());
      }
    }
    return Optional.empty();
  }

  /** Runs a command that ends by itself. */
  static Answer ask(List<String> words) {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process
          .onExit()
          .orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS)
          .exceptionally(_ -> kill(process));
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Answer(process.waitFor(), said.strip());
    } catch (IOException e) {
      return new Answer(-1, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer(-1, "interrupted");
    }
  }

  /** By its handle: the process's own method closes the pipe under who reads it. */
  private static Process kill(Process process) {
    process.toHandle().destroyForcibly();
    return process;
  }

  /** A program that comes with this command. */
  static byte[] resource(String name) {
    try (InputStream in = Tools.class.getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Different for different content. */
  static String digest(byte[]... contents) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] content : contents) digest.update(content);
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
