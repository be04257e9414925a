package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getDouble;

import java.lang.invoke.MethodHandles;

/** Folds a block of {@code double}: a template of {@link Loop}. */
final class DoubleFoldLoop {
  private static final DoubleFunction F =
      Loop.data(MethodHandles.lookup(), Function.class).doubles();
  private static final int LANES = Fold.LANES / 2;

  private DoubleFoldLoop() {}

  static double run(long a, int n) {
    if (n < LANES) {
      double acc = getDouble(a);
      for (int i = 1; i < n; i++) {
        acc = F.apply(acc, getDouble(a + i * 8L), 0, 1, 0);
      }
      return acc;
    }
    double[] acc = new double[LANES];
    for (int k = 0; k < LANES; k++) {
      acc[k] = getDouble(a + k * 8L);
    }
    int i = LANES;
    for (; i + LANES <= n; i += LANES) {
      for (int k = 0; k < LANES; k++) {
        acc[k] = F.apply(acc[k], getDouble(a + (i + k) * 8L), 0, 1, 0);
      }
    }
    return FoldTail.finish(acc, a + i * 8L, n - i, F);
  }
}
