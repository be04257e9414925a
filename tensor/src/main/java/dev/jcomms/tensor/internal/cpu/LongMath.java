package dev.jcomms.tensor.internal.cpu;

/** Whole numbers as operators treat them. */
final class LongMath {
  private LongMath() {}

  static long floorDivide(long a, long b) {
    return Math.floorDiv(a, nonZero(b));
  }

  static long truncDivide(long a, long b) {
    return a / nonZero(b);
  }

  /** The result has the divisor's sign. */
  static long remainder(long a, long b) {
    return Math.floorMod(a, nonZero(b));
  }

  /** The result has the dividend's sign. */
  static long fmod(long a, long b) {
    return a % nonZero(b);
  }

  private static long nonZero(long b) {
    if (b == 0) {
      throw new ArithmeticException("ZeroDivisionError: an integer was divided by zero");
    }
    return b;
  }

  /** A negative exponent leaves only the powers of 1 and -1. */
  static long pow(long base, long exponent) {
    if (exponent < 0) {
      return base == 1 ? 1 : base == -1 ? (exponent & 1) == 0 ? 1 : -1 : 0;
    }
    long result = 1;
    long square = base;
    for (long left = exponent; left != 0; left >>= 1) {
      if ((left & 1) != 0) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  /** Shifted beyond the dtype's bits, or by a negative number, nothing is left. */
  static long leftShift(long a, long by, long bits) {
    return by < 0 || by >= bits ? 0 : a << by;
  }

  /** So too to the right, but the sign stays. */
  static long rightShift(long a, long by, long bits) {
    return a >> (by < 0 || by >= bits ? 63 : by);
  }
}
