package dev.jcomms.internal.store;

import java.nio.charset.StandardCharsets;

/** The decimal numbers that {@code add} keeps, read as C's {@code strtoll} reads them. */
public final class Counter {
  private Counter() {}

  /** The text that a number is stored as. */
  public static byte[] format(long number) {
    return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The number a value begins with: white space, a sign and digits; what follows is ignored.
   *
   * @throws RefusedException if there is no digit, or the number needs more than 64 bits
   */
  public static long parse(byte[] value) {
    int at = 0;
    while (at < value.length && isSpace(value[at])) at++;
    int start = at;
    if (at < value.length && (value[at] == '+' || value[at] == '-')) at++;
    int digits = at;
    while (at < value.length && value[at] >= '0' && value[at] <= '9') at++;
    if (at == digits)
      throw new RefusedException("value of bytes=" + value.length + " is no number");
    try {
      return Long.parseLong(new String(value, start, at - start, StandardCharsets.US_ASCII));
    } catch (NumberFormatException e) {
      throw new RefusedException("number of digits=" + (at - digits) + " needs more than 64 bits");
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }
}
