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
    Carrier carrier = Carrier.of(plan.in.dtype());
    Kernel distance = ArithmeticFunctions.SQUARED_DISTANCE.kernel(Carrier.DOUBLE);
    Cursor spreads = plan.results(0);
    Cursor means = plan.results(1);
    long length = plan.reduced.elements;
    for (long number = first; number < last; number++) {
      Cursor row = plan.row(number);
      Total sum = new Total(Fold.SUM);
      long direct = plan.flatRow(number, carrier);
      for (long at = 0; at < length; ) {
        int n = (int) Math.min(Scratch.BLOCK, length - at);
        long block = direct + at * carrier.bytes;
        if (direct == 0) {
          block = scratch.block(1);
          row.load(at, n, carrier, block);
        }
        sum.add(Fold.SUM.run(carrier, block, n));
        at += n;
      }
      double mean = sum.value() / length;
      Total squares = new Total(Fold.SUM);
      long parameter = Double.doubleToRawLongBits(mean);
      for (long at = 0; at < length; ) {
        int n = (int) Math.min(Scratch.BLOCK, length - at);
        row.load(at, n, Carrier.DOUBLE, scratch.block(1));
        distance.run(scratch.block(2), scratch.block(1), 0, 0, n, parameter, 0);
        squares.add(Fold.SUM.run(Carrier.DOUBLE, scratch.block(2), n));
        at += n;
      }
      double variance = squares.value() / Math.max(0, length - correction);
      long block = scratch.block(0);
      Memory.put(block, root ? Math.sqrt(variance) : variance);
      spreads.store(Carrier.DOUBLE, block, number, 1);
      Memory.put(block, mean);
      means.store(Carrier.DOUBLE, block, number, 1);
    }
    Reference.reachabilityFence(scratch);
  }
}
