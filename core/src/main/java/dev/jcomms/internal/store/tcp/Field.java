package dev.jcomms.internal.store.tcp;

import dev.jcomms.internal.store.RefusedException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One field of a request, gathered from as many buffers as it comes in. Each method is called again
 * with the same arguments until it returns true; then the accessor of its kind has the result.
 */
final class Field {
  /** The least that is taken for a field that has not arrived whole. */
  private static final int FIRST_BYTES = 256;

  private static final byte[] NONE = {};

  private long number;
  private int numberBytes;
  private int length = -1;
  private byte[] bytes = NONE;
  private int filled;

  /** What an incomplete field holds. */
  long heldBytes() {
    return bytes.length;
  }

  /** Reads an integer of {@code width} bytes. */
  boolean number(ByteBuffer in, int width) {
    if (numberBytes == 0) number = 0;
    while (numberBytes < width) {
      if (!in.hasRemaining()) return false;
      number |= (in.get() & 0xffL) << (8 * numberBytes++);
    }
    numberBytes = 0;
    return true;
  }

  int int32() {
    return (int) number;
  }

  long int64() {
    return number;
  }

  /** Reads a length of 64 bits, unsigned, and as many bytes. */
  boolean counted(ByteBuffer in, int limit) {
    if (length < 0) {
      if (!number(in, Long.BYTES)) return false;
      if (number < 0 || number > limit) {
        throw new RefusedException(
            "field bytes=" + Long.toUnsignedString(number) + " passes the limit " + limit);
      }
      length = (int) number;
    }
    return fill(in);
  }

  /** Reads exactly {@code width} bytes. */
  boolean fixed(ByteBuffer in, int width) {
    length = width;
    return fill(in);
  }

  /** The bytes of a field that is complete; they are the caller's now. */
  byte[] bytes() {
    byte[] result = bytes;
    bytes = NONE;
    filled = 0;
    length = -1;
    return result;
  }

  private boolean fill(ByteBuffer in) {
    int now = Math.min(length - filled, in.remaining());
    if (filled + now > bytes.length) {
      int room = Math.max(filled + now, Math.max(FIRST_BYTES, 2 * bytes.length));
      bytes = Arrays.copyOf(bytes, Math.min(length, room));
    }
    in.get(bytes, filled, now);
    filled += now;
    if (filled < length) return false;
    if (bytes.length > length) bytes = Arrays.copyOf(bytes, length);
    return true;
  }
}
