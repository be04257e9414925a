package dev.jcomms.cli.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of shared memory that carry a job's mark in their names. Ranks unlink them as soon as
 * all have them mapped; those of ranks that were ended in between go with the job.
 */
record SharedFiles(String job) implements AutoCloseable {
  private static final Path FOLDER = Path.of("/dev/shm");

  /** Removes what is left, once no rank is. */
  @Override
  public void close() {
    if (!Files.isDirectory(FOLDER)) {
      return;
    }
    try (DirectoryStream<Path> left = Files.newDirectoryStream(FOLDER, "jcomms-" + job + "*")) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException _) {
      // Not ours to remove, then.
    }
  }
}
