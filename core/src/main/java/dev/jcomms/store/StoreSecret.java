package dev.jcomms.store;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

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
