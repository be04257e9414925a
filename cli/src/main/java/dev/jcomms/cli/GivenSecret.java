package dev.jcomms.cli;

import dev.jcomms.Setting;
import dev.jcomms.store.StoreException;
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
    try {
      Optional<StoreSecret> secret = StoreSecret.fromEnvironment(environment);
      if (secret.isPresent()) warnOfReaders(environment, warn);
      return secret;
    } catch (IllegalArgumentException e) {
      throw CliException.usage(e.getMessage() + "; one is made by: openssl rand -hex 32");
    } catch (StoreException e) {
      throw CliException.usage(
          e.getMessage()
              + (e.getCause() instanceof IOException io ? ": " + FileTrouble.reason(io) : ""));
    }
  }

  private static void warnOfReaders(Map<String, String> environment, Consumer<String> warn) {
    String file = Setting.SECRET_FILE.in(environment).text();
    if (file.isEmpty()) return;
    try {
      if (Files.getPosixFilePermissions(Path.of(file)).stream().anyMatch(OTHERS::contains)) {
        warn.accept("warning: others can read the secret in %s; chmod 600 it".formatted(file));
      }
    } catch (IOException e) {
      // The variable was enough; the file is not there.
    }
  }
}
