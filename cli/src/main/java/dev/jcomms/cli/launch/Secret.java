package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import dev.jcomms.store.StoreSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The secret of a job: its users', or a new one. Never on a command line. */
final class Secret {
  private Secret() {}

  /** For one node a new one will do; several must have been told the same. */
  static StoreSecret of(LaunchSpec spec, Map<String, String> env) {
    Optional<StoreSecret> given = given(env);
    if (given.isPresent()) return given.get();
    if (spec.nodes() == 1) return StoreSecret.generate();
    throw CliException.usage(
        ("--nnodes=%d needs a secret that all nodes share: set JCOMMS_SECRET, or JCOMMS_SECRET_FILE to"
                + " a file, for the launcher of each node; one is made by: openssl rand -hex 32")
            .formatted(spec.nodes()));
  }

  /** The user's own, from {@code JCOMMS_SECRET} or the file {@code JCOMMS_SECRET_FILE} names. */
  static Optional<StoreSecret> given(Map<String, String> env) {
    if (env.containsKey(RankEnvironment.SECRET)) {
      return Optional.of(checked(env.get(RankEnvironment.SECRET), RankEnvironment.SECRET));
    }
    if (!env.containsKey(RankEnvironment.SECRET_FILE)) return Optional.empty();
    Path file = Path.of(env.get(RankEnvironment.SECRET_FILE));
    try {
      return Optional.of(checked(Files.readString(file).strip(), file.toString()));
    } catch (IOException e) {
      throw CliException.usage("cannot read JCOMMS_SECRET_FILE=%s: %s".formatted(file, e));
    }
  }

  private static StoreSecret checked(String text, String where) {
    if (text.length() >= StoreSecret.MIN_CHARACTERS) return StoreSecret.of(text);
    throw CliException.usage(
        "the secret in %s has %d characters, fewer than %d; one is made by: openssl rand -hex 32"
            .formatted(where, text.length(), StoreSecret.MIN_CHARACTERS));
  }
}
