package dev.jcomms.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * What the members of one job know and strangers do not: the key of the proof that a {@link
 * TcpStoreServer} demands. Immutable; never printed, {@code toString} included.
 *
 * <p>A secret is text, so that it travels in an environment variable or a file. It must never
 * travel on a command line, which every user of the host can read.
 */
public final class StoreSecret {
  /** Shorter texts are refused: a proof seen by a stranger can be tried against guesses. */
  public static final int MIN_CHARACTERS = 16;

  /** The variable that holds a job's secret. */
  public static final String VARIABLE = "JCOMMS_SECRET";

  /** The variable that names a file with a job's secret, read where {@link #VARIABLE} is unset. */
  public static final String FILE_VARIABLE = "JCOMMS_SECRET_FILE";

  private static final int GENERATED_BYTES = 32;

  private final String text;

  private StoreSecret(String text) {
    this.text = text;
  }

  /** The secret that {@code text} is. */
  public static StoreSecret of(String text) {
    if (text.length() < MIN_CHARACTERS) {
      throw new IllegalArgumentException(
          "store secret: characters=" + text.length() + " is below the least, " + MIN_CHARACTERS);
    }
    return new StoreSecret(text);
  }

  /**
   * The secret of the job that an environment belongs to, without the space around it; empty if
   * neither variable is set. Errors name the variable and the file, never what they hold.
   *
   * @throws StoreException if the file cannot be read
   */
  public static Optional<StoreSecret> fromEnvironment(Map<String, String> environment) {
    String text = environment.getOrDefault(VARIABLE, "").strip();
    if (!text.isEmpty()) {
      return Optional.of(longEnough(text, VARIABLE));
    }
    String file = environment.getOrDefault(FILE_VARIABLE, "").strip();
    if (file.isEmpty()) {
      return Optional.empty();
    }
    String source = FILE_VARIABLE + "=" + file;
    try {
      return Optional.of(longEnough(Files.readString(Path.of(file)).strip(), source));
    } catch (IOException e) {
      throw new StoreException(source + " cannot be read", e);
    }
  }

  private static StoreSecret longEnough(String text, String source) {
    try {
      return of(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage());
    }
  }

  /** A new secret of 256 random bits. */
  public static StoreSecret generate() {
    byte[] random = new byte[GENERATED_BYTES];
    new SecureRandom().nextBytes(random);
    return new StoreSecret(HexFormat.of().formatHex(random));
  }

  /** The text itself, to hand to a member of the job. */
  public String reveal() {
    return text;
  }

  /** The key of the proof: the UTF-8 bytes of the text. */
  public byte[] key() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return "StoreSecret[hidden]";
  }
}
