package dev.jcomms.cli.store;

import dev.jcomms.Setting;
import dev.jcomms.cli.CliException;
import dev.jcomms.store.StoreSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;

/** Where a store's secret comes from and is left: variables and files, never the command line. */
final class Secrets {
  private Secrets() {}

  static Optional<StoreSecret> given(Map<String, String> environment) {
    String text = Setting.SECRET.in(environment).text();
    String where = Setting.SECRET.in(environment).source();
    if (text.isEmpty()) {
      String file = Setting.SECRET_FILE.in(environment).text();
      if (file.isEmpty()) return Optional.empty();
      where = file;
      try {
        text = Files.readString(Path.of(file)).strip();
      } catch (IOException e) {
        throw CliException.usage("the secret's file %s cannot be read: %s".formatted(file, e));
      }
    }
    try {
      return Optional.of(StoreSecret.of(text));
    } catch (IllegalArgumentException e) {
      throw CliException.usage(where + ": " + e.getMessage());
    }
  }

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
