package dev.jcomms.jccl.internal.transport.tcp;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What tells the ranks of one communicator from everybody else: its id, which anyone may see, and
 * its secret, which only those know who can read the communicator's store. Immutable; any thread.
 *
 * <p>The secret proves who speaks at the start of a connection. It hides nothing and signs nothing
 * afterwards: whoever can change packets on the way can change data.
 */
final class Pass {
  static final int ID_BYTES = 16;
  static final int NONCE_BYTES = 32;
  static final int PROOF_BYTES = 32;
  private static final int SECRET_BYTES = 32;
  private static final String ALGORITHM = "HmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final HexFormat HEX = HexFormat.of();

  private final byte[] id;
  private final int generation;
  private final SecretKeySpec secret;
  private final String text;

  private Pass(byte[] id, int generation, byte[] secret) {
    this.id = id;
    this.generation = generation;
    this.secret = new SecretKeySpec(secret, ALGORITHM);
    this.text = HEX.formatHex(id) + " " + generation + " " + HEX.formatHex(secret);
  }

  /** A new one. */
  static Pass make(int generation) {
    return new Pass(random(ID_BYTES), generation, random(SECRET_BYTES));
  }

  /** The text that makes an equal one: for the store and nowhere else. */
  String secretText() {
    return text;
  }

  /** What {@link #secretText} wrote. */
  static Pass parse(String text) {
    String[] parts = text.split(" ");
    if (parts.length != 3
        || parts[0].length() != 2 * ID_BYTES
        || parts[2].length() != 2 * SECRET_BYTES) {
      throw new IllegalArgumentException("not a pass: " + text.length() + " characters");
    }
    return new Pass(HEX.parseHex(parts[0]), Integer.parseInt(parts[1]), HEX.parseHex(parts[2]));
  }

  byte[] id() {
    return id.clone();
  }

  int generation() {
    return generation;
  }

  static byte[] nonce() {
    return random(NONCE_BYTES);
  }

  private static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return random;
  }

  /** Shows that whoever made it knows the secret and saw these parts, in this role. */
  byte[] proof(String role, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      mac.update(("jccl tcp 1 " + role).getBytes(StandardCharsets.US_ASCII));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(ALGORITHM + " is required of every Java platform", e);
    }
  }

  /** Compares in a time that does not depend on where they differ. */
  static boolean matches(byte[] expected, byte[] given) {
    return MessageDigest.isEqual(expected, given);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "Pass[id=" + HEX.formatHex(id) + " generation=" + generation + "]";
  }
}
