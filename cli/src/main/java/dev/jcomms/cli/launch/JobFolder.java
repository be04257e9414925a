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
 * stdout.log}, {@code stderr.log} and {@code error.json}, under a folder of the job's own in {@code
 * --log-dir}. Beside it a scratch folder, which goes with the job; it is all there is without
 * {@code --log-dir}.
 */
final class JobFolder implements AutoCloseable {
  private final Path scratch;
  private final Path root;

  private JobFolder(Path scratch, Path root) {
    this.scratch = scratch;
    this.root = root;
  }

  static JobFolder create(Optional<Path> logs, String runId) {
    try {
      // The log folder first: it is the user's to get wrong, and then nothing is left behind.
      Path kept = null;
      if (logs.isPresent()) {
        Path base = Files.createDirectories(logs.get().toAbsolutePath());
        kept = Files.createTempDirectory(base, runId + "_");
      }
      Path scratch = Files.createTempDirectory("jcomms-");
      return new JobFolder(scratch, kept == null ? scratch : kept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path scratch() {
    return scratch;
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
    try (Stream<Path> tree = Files.walk(scratch)) {
      for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) Files.deleteIfExists(path);
    } catch (IOException | UncheckedIOException _) {
      // A rank that got away may still write there; the system clears temporary files.
    }
  }
}
