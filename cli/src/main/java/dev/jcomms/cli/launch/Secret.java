package dev.jcomms.cli.launch;

import dev.jcomms.cli.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/** What the processes of a job share and others do not know. Never on a command line. */
final class Secret {
  private static final int BYTES = 32;

  private Secret() {}

  /** The user's own, from {@code JCOMMS_SECRET} or the file {@code JCOMMS_SECRET_FILE} names. */
  static Optional<String> given(Map<String, String> env) {
    if (env.containsKey(RankEnvironment.SECRET)) {
      return Optional.of(checked(env.get(RankEnvironment.SECRET), RankEnvironment.SECRET));
    }
    if (!env.containsKey(RankEnvironment.SECRET_FILE)) return Optional.empty();
    Path file = Path.of(env.get(RankEnvironment.SECRET_FILE));
    try {
      return Optional.of(checked(Files.readString(file).strip(), file.toString()));
    } catch (IOException e) {
      throw CliException.failure(
          "cannot read JCOMMS_SECRET_FILE=%s: %s".formatted(file, e.getMessage()));
    }
  }

  static String fresh() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String checked(String text, String where) {
    if (text.matches("([0-9a-fA-F]{2}){16,}")) return text;
    throw CliException.usage(
        "the secret in %s is not hexadecimal of at least 16 bytes; one is made by: openssl rand -hex %d"
            .formatted(where, BYTES));
  }
}
