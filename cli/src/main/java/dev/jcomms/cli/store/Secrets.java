package dev.jcomms.cli.store;

import dev.jcomms.cli.CliException;
import dev.jcomms.store.StoreSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where a made-up secret is left for clients. */
final class Secrets {
  private Secrets() {}

  /** A new file that only this user can read, gone when this process ends. */
  static Path leave(StoreSecret secret, int port) {
    try {
      Path file =
          Files.createTempFile(
              "jcomms-store-" + port + "-",
              ".secret",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      file.toFile().deleteOnExit();
      Files.writeString(file, secret.reveal());
      return file;
    } catch (IOException e) {
      throw CliException.failure("the new secret cannot be left in a file: " + e);
    }
  }
}
