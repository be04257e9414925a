package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getFloat;

import java.lang.invoke.MethodHandles;

/** Folds a block of {@code float}: a template of {@link Loop}. */
final class FloatFoldLoop {
  private static final FloatFunction F = Loop.data(MethodHandles.lookup(), Function.class).floats();
  private static final int LANES = Fold.LANES;

  private FloatFoldLoop() {}

  static double run(long a, int n) {
    if (n < LANES) {
      float acc = getFloat(a);
      for (int i = 1; i < n; i++) {
        acc = F.apply(acc, getFloat(a + i * 4L), 0, 1, 0);
      }
      return acc;
    }
    int whole = n - n % LANES;
    float[] total = new float[LANES];
    float[] acc = new float[LANES];
    for (int group = 0; group < whole; group += FoldTail.ROWS * LANES) {
      int end = Math.min(whole, group + FoldTail.ROWS * LANES);
      for (int k = 0; k < LANES; k++) {
        acc[k] = getFloat(a + (group + k) * 4L);
      }
      for (int i = group + LANES; i < end; i += LANES) {
        for (int k = 0; k < LANES; k++) {
          acc[k] = F.apply(acc[k], getFloat(a + (i + k) * 4L), 0, 1, 0);
        }
      }
      for (int k = 0; k < LANES; k++) {
        total[k] = group == 0 ? acc[k] : F.apply(total[k], acc[k], 0, 1, 0);
      }
    }
    return FoldTail.finish(total, LANES, a + whole * 4L, n - whole, F);
  }
}
