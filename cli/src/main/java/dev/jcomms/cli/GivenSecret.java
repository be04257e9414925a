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
    Optional<StoreSecret> given;
    try {
      given = StoreSecret.fromEnvironment(environment);
    } catch (IllegalArgumentException e) {
      throw CliException.usage(e.getMessage() + "; one is made by: openssl rand -hex 32");
    } catch (StoreException e) {
      String reason = e.getCause() instanceof IOException why ? FileTrouble.reason(why) : "";
      throw CliException.usage(e.getMessage() + ": " + reason);
    }
    String file = Setting.SECRET_FILE.in(environment).text();
    boolean fromFile = given.isPresent() && Setting.SECRET.in(environment).text().isEmpty();
    if (fromFile && readableByOthers(Path.of(file))) {
      warn.accept("warning: others can read the secret in %s; chmod 600 it".formatted(file));
    }
    return given;
  }

  private static boolean readableByOthers(Path file) {
    try {
      return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
    } catch (IOException | UnsupportedOperationException e) {
      return false; // It has been read; where its mode cannot be told, there is nothing to warn of.
    }
  }
}
