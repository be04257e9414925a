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
    int whole = n - n % LANES;
    double[] total = new double[LANES];
    double[] acc = new double[LANES];
    for (int group = 0; group < whole; group += FoldTail.ROWS * LANES) {
      int end = Math.min(whole, group + FoldTail.ROWS * LANES);
      for (int k = 0; k < LANES; k++) {
        acc[k] = getDouble(a + (group + k) * 8L);
      }
      for (int i = group + LANES; i < end; i += LANES) {
        for (int k = 0; k < LANES; k++) {
          acc[k] = F.apply(acc[k], getDouble(a + (i + k) * 8L), 0, 1, 0);
        }
      }
      for (int k = 0; k < LANES; k++) {
        total[k] = group == 0 ? acc[k] : F.apply(total[k], acc[k], 0, 1, 0);
      }
    }
    return FoldTail.finish(total, LANES, a + whole * 8L, n - whole, F);
  }
}
