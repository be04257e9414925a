package dev.jcomms.tensor.internal.cpu;

/** e to the x for results of f32 or narrower: a relative error of 1e-9, in a few nanoseconds. */
final class Exponential {
  private static final double LOG2_E = 1.4426950408889634;
  private static final double LN_2 = 0.6931471805599453;
  private static final double ROUND = 0x1.8p52; // adding it rounds to a whole number

  private Exponential() {}

  static double narrow(double x) {
    double clamped = Math.min(709.0, Math.max(-708.0, x)); // keeps NaN
    double shifted = clamped * LOG2_E + ROUND;
    double whole = shifted - ROUND;
    double r = clamped - whole * LN_2;
    double p = 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1;
    p = p * r + 1;
    return p * Double.longBitsToDouble((long) whole + 1023 << 52);
  }
}
