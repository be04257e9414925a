package dev.jcomms.internal.bootstrap;

import dev.jcomms.store.StoreSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * What rank 0 tells the other ranks of its host, in a file that only their user can read: the port
 * of the job's store, and its secret.
 */
record JobNote(int port, StoreSecret secret) {

  static JobNote read(Path file) throws IOException {
    String[] words = Files.readString(file).split(" ");
    try {
      return new JobNote(Integer.parseInt(words[0]), StoreSecret.of(words[1]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(file + " is not a port and a secret");
    }
  }

  /** Leaves the note until this process ends; readers see all of it or nothing. */
  void leave(Path file) throws IOException {
    Path part =
        Files.createTempFile(
            file.getParent(),
            "note",
            ".part",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      Files.writeString(part, text());
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> remove(file)));
  }

  private void remove(Path file) {
    try {
      // A later life of the job may have put its own there.
      if (Files.readString(file).equals(text())) {
        Files.delete(file);
      }
    } catch (IOException e) {
      // A note that stays leads to a port that nobody serves: a reader then looks again.
    }
  }

  private String text() {
    return port + " " + secret.reveal();
  }

  @Override
  public String toString() {
    return "JobNote[port=" + port + "]";
  }
}
