package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/** Running sums and products along one dimension; floats accumulate in double. */
public final class Scans {
  private Scans() {}

  /**
   * @param fold {@link Fold#SUM} or {@link Fold#PRODUCT}
   * @param compute the dtype of the arithmetic
   * @param dim counted from the front
   * @param out of the input's shape; may be the input
   */
  public static void run(Fold fold, DType compute, Tensor in, int dim, Tensor out) {
    if (in.elements() == 0) {
      return;
    }
    Overlap.refuseInside(out);
    Tensor from = Overlap.isHarmful(out, in) ? in.copy() : Memory.addressable(in);
    Tensor to = Memory.isAddressable(out) ? out : Tensor.empty(out.dtype(), out.shape());
    long fromAddress = Memory.address(from);
    long toAddress = Memory.writableAddress(to);
    Walk others = Walk.of(from.select(dim, 0).shape(), from.select(dim, 0), to.select(dim, 0));
    long length = from.shape().size(dim);
    long fromStep = from.strides()[dim] * from.dtype().bytes();
    long toStep = to.strides()[dim] * to.dtype().bytes();
    Carrier carrier = compute.isFloating() ? Carrier.DOUBLE : Carrier.LONG;
    Parallel.run(
        others.elements,
        Math.max(1, Parallel.GRAIN / length),
        (first, last) -> {
          Scratch scratch = Scratch.mine();
          long block = scratch.block(1);
          for (long number = first; number < last; number++) {
            long source = fromAddress + others.offset(0, number);
            long target = toAddress + others.offset(1, number);
            double value = fold.nothing;
            long whole = fold.nothingWhole;
            for (long at = 0; at < length; ) {
              int n = (int) Math.min(Scratch.BLOCK, length - at);
              Convert.load(from.dtype(), source + at * fromStep, fromStep, carrier, block, n);
              if (carrier == Carrier.DOUBLE) {
                value = doubles(fold, block, n, value);
              } else {
                whole = longs(fold, block, n, whole);
              }
              Convert.store(carrier, block, to.dtype(), target + at * toStep, toStep, n);
              at += n;
            }
          }
          Reference.reachabilityFence(scratch);
        });
    if (to != out) {
      out.copyFrom(to);
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(to);
  }

  private static double doubles(Fold fold, long block, int n, double start) {
    double acc = start;
    for (int i = 0; i < n; i++) {
      long at = block + i * 8L;
      acc = fold == Fold.SUM ? acc + Memory.getDouble(at) : acc * Memory.getDouble(at);
      Memory.put(at, acc);
    }
    return acc;
  }

  private static long longs(Fold fold, long block, int n, long start) {
    long acc = start;
    for (int i = 0; i < n; i++) {
      long at = block + i * 8L;
      acc = fold == Fold.SUM ? acc + Memory.getLong(at) : acc * Memory.getLong(at);
      Memory.put(at, acc);
    }
    return acc;
  }
}
