package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/**
 * Variances with their means, in double: first the mean, then the squared distances from it. Of a
 * single pass the error would grow with the mean, of this it does not.
 */
public final class Moments {
  private Moments() {}

  /**
   * @param correction what is taken off the number of elements before the squares are divided by it
   * @param root whether the deviation is asked for
   */
  public static void run(
      Tensor in, boolean[] reduce, double correction, boolean root, Tensor out, Tensor mean) {
    if (out.elements() == 0) {
      return;
    }
    Tensor from = Memory.addressable(in);
    Tensor spread = Memory.isAddressable(out) ? out : Tensor.empty(out.dtype(), out.shape());
    Tensor middle =
        mean != null && Memory.isAddressable(mean) ? mean : Tensor.empty(out.dtype(), out.shape());
    ReductionPlan plan = new ReductionPlan(from, reduce, spread, middle);
    long length = plan.reduced.elements;
    Parallel.run(
        plan.kept.elements,
        Math.max(1, Parallel.GRAIN / Math.max(1, length)),
        (first, last) -> rows(plan, correction, root, first, last));
    if (spread != out) {
      out.copyFrom(spread);
    }
    if (mean != null && middle != mean) {
      mean.copyFrom(middle);
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(in);
    Reference.reachabilityFence(out);
    Reference.reachabilityFence(mean);
  }

  private static void rows(
      ReductionPlan plan, double correction, boolean root, long first, long last) {
    Scratch scratch = Scratch.mine();
    Cursor spreads = plan.results(0);
    Cursor means = plan.results(1);
    long length = plan.reduced.elements;
    for (long number = first; number < last; number++) {
      Cursor row = plan.row(number);
      double start = start(row, length, scratch);
      double mean = start + sum(ArithmeticFunctions.DISTANCE, start, row, length) / length;
      double squares = sum(ArithmeticFunctions.SQUARED_DISTANCE, mean, row, length);
      double variance = length == 0 ? Double.NaN : squares / Math.max(0, length - correction);
      long block = scratch.block(0);
      Memory.put(block, root ? Math.sqrt(variance) : variance);
      spreads.store(Carrier.DOUBLE, block, number, 1);
      Memory.put(block, mean);
      means.store(Carrier.DOUBLE, block, number, 1);
    }
    Reference.reachabilityFence(scratch);
  }

  /** The first element: equal ones then have a mean that is one of them, and no variance. */
  private static double start(Cursor row, long length, Scratch scratch) {
    if (length == 0) {
      return 0;
    }
    row.load(0, 1, Carrier.DOUBLE, scratch.block(1));
    double first = Memory.getDouble(scratch.block(1));
    return first - first == 0 ? first : 0;
  }

  private static double sum(Function f, double parameter, Cursor row, long length) {
    Scratch scratch = Scratch.mine();
    Kernel kernel = f.kernel(Carrier.DOUBLE);
    long bits = Double.doubleToRawLongBits(parameter);
    Total total = new Total(Fold.SUM);
    for (long at = 0; at < length; ) {
      int n = (int) Math.min(Scratch.BLOCK, length - at);
      row.load(at, n, Carrier.DOUBLE, scratch.block(1));
      kernel.run(scratch.block(2), scratch.block(1), 0, 0, n, bits, 0);
      total.add(Fold.SUM.run(Carrier.DOUBLE, scratch.block(2), n));
      at += n;
    }
    Reference.reachabilityFence(scratch);
    return total.value();
  }
}
