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
    float[] acc = new float[LANES];
    for (int k = 0; k < LANES; k++) {
      acc[k] = getFloat(a + k * 4L);
    }
    int i = LANES;
    for (; i + LANES <= n; i += LANES) {
      for (int k = 0; k < LANES; k++) {
        acc[k] = F.apply(acc[k], getFloat(a + (i + k) * 4L), 0, 1, 0);
      }
    }
    return FoldTail.finish(acc, a + i * 4L, n - i, F);
  }
}
