package dev.jcomms.tensor.internal.cpu;

/** Sums of lines, in four strands so that one addition need not wait for the one before. */
final class Sums {
  private Sums() {}

  static double sum(double[] x, int n) {
    double a = 0, b = 0, c = 0, d = 0;
    int i = 0;
    for (; i <= n - 4; i += 4) {
      a += x[i];
      b += x[i + 1];
      c += x[i + 2];
      d += x[i + 3];
    }
    for (; i < n; i++) {
      a += x[i];
    }
    return (a + b) + (c + d);
  }

  static double dot(double[] x, double[] y, int n) {
    double a = 0, b = 0, c = 0, d = 0;
    int i = 0;
    for (; i <= n - 4; i += 4) {
      a += x[i] * y[i];
      b += x[i + 1] * y[i + 1];
      c += x[i + 2] * y[i + 2];
      d += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) {
      a += x[i] * y[i];
    }
    return (a + b) + (c + d);
  }
}
