package dev.jcomms.cli.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of one job, laid out as torchrun does: {@code attempt_N/LOCAL_RANK/} with {@code
 * stdout.log}, {@code stderr.log} and {@code error.json}. Kept under {@code --log-dir}, else gone
 * with the job.
 */
final class JobFolder implements AutoCloseable {
  private final Path root;
  private final boolean temporary;

  private JobFolder(Path root, boolean temporary) {
    this.root = root;
    this.temporary = temporary;
  }

  static JobFolder create(Optional<Path> logs, String runId) {
    try {
      if (logs.isEmpty()) return new JobFolder(Files.createTempDirectory("jcomms-"), true);
      Path base = Files.createDirectories(logs.get().toAbsolutePath());
      return new JobFolder(Files.createTempDirectory(base, runId + "_"), false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path root() {
    return root;
  }

  /** What is to be removed with the job; empty if its files are to be kept. */
  String scratch() {
    return temporary ? root.toString() : "";
  }

  Path errorFile(int attempt, int localRank) {
    return rank(attempt, localRank).resolve("error.json");
  }

  OutputStream open(int attempt, int localRank, String name) {
    try {
      return Files.newOutputStream(rank(attempt, localRank).resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path rank(int attempt, int localRank) {
    Path folder = root.resolve("attempt_" + attempt).resolve("" + localRank);
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (!temporary) return;
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) Files.deleteIfExists(path);
    } catch (IOException _) {
      // A rank that got away may still write there; the system clears temporary files.
    }
  }
}
