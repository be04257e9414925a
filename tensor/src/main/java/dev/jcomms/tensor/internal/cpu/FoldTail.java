package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Memory.getDouble;
import static dev.jcomms.tensor.internal.cpu.Memory.getFloat;

/** The end of a fold, which its plain and its vector loop share. */
public final class FoldTail {
  /** Elements that a partial result takes before it is added to those before. */
  public static final int ROWS = 64;

  private FoldTail() {}

  /** Folds the last elements, fewer than there are partial results, and then those. */
  public static double finish(float[] acc, int lanes, long rest, int count, FloatFunction f) {
    for (int k = 0; k < count; k++) {
      acc[k] = f.apply(acc[k], getFloat(rest + k * 4L), 0, 1, 0);
    }
    for (int width = lanes / 2; width > 0; width /= 2) {
      for (int k = 0; k < width; k++) {
        acc[k] = f.apply(acc[k], acc[k + width], 0, 1, 0);
      }
    }
    return acc[0];
  }

  /** Folds the last elements, fewer than there are partial results, and then those. */
  public static double finish(double[] acc, int lanes, long rest, int count, DoubleFunction f) {
    for (int k = 0; k < count; k++) {
      acc[k] = f.apply(acc[k], getDouble(rest + k * 8L), 0, 1, 0);
    }
    for (int width = lanes / 2; width > 0; width /= 2) {
      for (int k = 0; k < width; k++) {
        acc[k] = f.apply(acc[k], acc[k + width], 0, 1, 0);
      }
    }
    return acc[0];
  }
}
