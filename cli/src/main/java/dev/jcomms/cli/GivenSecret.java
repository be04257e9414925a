package dev.jcomms.cli;

import dev.jcomms.Setting;
import dev.jcomms.store.StoreSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A secret that the user has named by a variable or a file; never on a command line. */
public final class GivenSecret {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private GivenSecret() {}

  /** That of {@code JCOMMS_SECRET}, else that in the file {@code JCOMMS_SECRET_FILE} names. */
  public static Optional<StoreSecret> in(Map<String, String> environment) {
    return in(environment, warning -> System.err.println("jcomms: " + warning));
  }

  static Optional<StoreSecret> in(Map<String, String> environment, Consumer<String> warn) {
    // Without the space around it, and as if unset where it is empty: as ranks read it.
    Setting.Value given = Setting.SECRET.in(environment);
    if (!given.text().isEmpty()) return Optional.of(checked(given.text(), given.source()));
    String file = Setting.SECRET_FILE.in(environment).text();
    if (file.isEmpty()) return Optional.empty();
    try {
      Path path = Path.of(file);
      String text = Files.readString(path).strip();
      if (Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains)) {
        warn.accept("warning: others can read the secret in %s; chmod 600 it".formatted(file));
      }
      return Optional.of(checked(text, file));
    } catch (IOException e) {
      throw CliException.usage(
          "cannot read JCOMMS_SECRET_FILE=%s: %s".formatted(file, FileTrouble.reason(e)));
    }
  }

  private static StoreSecret checked(String text, String where) {
    if (text.length() >= StoreSecret.MIN_CHARACTERS) return StoreSecret.of(text);
    throw CliException.usage(
        "the secret in %s has %d characters, fewer than %d; one is made by: openssl rand -hex 32"
            .formatted(where, text.length(), StoreSecret.MIN_CHARACTERS));
  }
}
