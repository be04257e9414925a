package dev.jcomms;

/**
 * Turns values into bytes and back for {@link ObjectCollectives}. Ready-made ones: {@link Codecs}.
 *
 * <p>A codec reads bytes that a peer sent, so {@link #decode} must refuse what is malformed with
 * {@link IllegalArgumentException} and must not run anything it reads. Java serialization is not a
 * codec.
 */
public interface Codec<T> {
  /** The bytes of a value. */
  byte[] encode(T value);

  /** The value of bytes that a peer encoded. */
  T decode(byte[] bytes);
}
