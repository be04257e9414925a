package dev.jcomms.tensor.internal.cpu;

/** Ranges cut into parts. */
final class Splits {
  interface Range {
    void run(long from, long to);
  }

  private Splits() {}

  static void run(long n, long grain, Range body) {
    if (n > 0) {
      body.run(0, n);
    }
  }
}
