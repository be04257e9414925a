package dev.jcomms.internal.store.tcp;

import dev.jcomms.store.StoreSecret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proofs that both ends of a connection know the secret: HMAC-SHA256 over the prover's label and
 * the nonces of both. The labels differ, so neither end's proof can be played back as the other's.
 */
final class Proof {
  static final int NONCE_BYTES = 32;
  static final int PROOF_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] CLIENT = "jcomms store v1 client".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SERVER = "jcomms store v1 server".getBytes(StandardCharsets.US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();

  private Proof() {}

  static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  static byte[] ofClient(StoreSecret secret, byte[] clientNonce, byte[] serverNonce) {
    return hmac(secret, CLIENT, clientNonce, serverNonce);
  }

  static byte[] ofServer(StoreSecret secret, byte[] clientNonce, byte[] serverNonce) {
    return hmac(secret, SERVER, clientNonce, serverNonce);
  }

  /** Compares in a time that does not depend on where they differ. */
  static boolean matches(byte[] expected, byte[] given) {
    return MessageDigest.isEqual(expected, given);
  }

  private static byte[] hmac(StoreSecret secret, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.key(), ALGORITHM));
      for (byte[] part : parts) mac.update(part);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(ALGORITHM + " is required of every Java platform", e);
    }
  }
}
