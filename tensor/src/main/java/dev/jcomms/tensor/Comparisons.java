package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.PairWalk;
import dev.jcomms.tensor.internal.Runs;
import dev.jcomms.tensor.internal.Transfers;
import dev.jcomms.tensor.internal.Views;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Reads two tensors together: equality of values, exact and within a tolerance. */
final class Comparisons {
  private Comparisons() {}

  static boolean equal(Tensor a, Tensor b) {
    return a.shape().equals(b.shape()) && all(a, b, (x, y) -> x == y, (x, y) -> x == y);
  }

  static boolean allClose(Tensor a, Tensor b, double rtol, double atol, boolean equalNan) {
    if (a.dtype() != b.dtype()) {
      throw new IllegalArgumentException(
          "allClose: dtypes differ: " + a.dtype() + " and " + b.dtype());
    }
    if (!(rtol >= 0) || !(atol >= 0)) {
      throw new IllegalArgumentException(
          "allClose: rtol=" + rtol + " atol=" + atol + " must not be negative");
    }
    long[] sizes = Views.broadcast("allClose", a.shape(), b.shape()).sizes();
    Doubles close =
        (x, y) ->
            x == y
                || (equalNan && x != x && y != y)
                || (Double.isFinite(x - y) && Math.abs(x - y) <= atol + rtol * Math.abs(y));
    return all(
        Views.expand(a, sizes),
        Views.expand(b, sizes),
        close,
        (x, y) -> x == y || close.test((double) x, (double) y));
  }

  private interface Doubles {
    boolean test(double x, double y);
  }

  private interface Longs {
    boolean test(long x, long y);
  }

  /** Whether the test holds for every pair of elements: of longs where neither side is floating. */
  private static boolean all(Tensor first, Tensor second, Doubles doubles, Longs longs) {
    Tensor a = Transfers.toHost("compare", first);
    Tensor b = Transfers.toHost("compare", second);
    boolean result =
        PairWalk.walk(
            a.shape().sizes(),
            a.ownStrides(),
            a.offset(),
            b.ownStrides(),
            b.offset(),
            a.dtype().isFloating() || b.dtype().isFloating()
                ? inDoubles(a, b, doubles)
                : inLongs(a, b, longs));
    Reference.reachabilityFence(a);
    Reference.reachabilityFence(b);
    return result;
  }

  private static PairWalk.Run inDoubles(Tensor a, Tensor b, Doubles test) {
    MemorySegment as = a.readable("compare");
    MemorySegment bs = b.readable("compare");
    int aBytes = a.dtype().bytes();
    int bBytes = b.dtype().bytes();
    double[] x = new double[Runs.BLOCK];
    double[] y = new double[Runs.BLOCK];
    return (ai, aStep, bi, bStep, count) -> {
      for (long i = 0; i < count; i += Runs.BLOCK) {
        int n = (int) Math.min(Runs.BLOCK, count - i);
        Runs.read(as, a.dtype(), (ai + i * aStep) * aBytes, aStep * aBytes, x, n);
        Runs.read(bs, b.dtype(), (bi + i * bStep) * bBytes, bStep * bBytes, y, n);
        for (int j = 0; j < n; j++) {
          if (!test.test(x[j], y[j])) {
            return false;
          }
        }
      }
      return true;
    };
  }

  private static PairWalk.Run inLongs(Tensor a, Tensor b, Longs test) {
    MemorySegment as = a.readable("compare");
    MemorySegment bs = b.readable("compare");
    int aBytes = a.dtype().bytes();
    int bBytes = b.dtype().bytes();
    long[] x = new long[Runs.BLOCK];
    long[] y = new long[Runs.BLOCK];
    return (ai, aStep, bi, bStep, count) -> {
      for (long i = 0; i < count; i += Runs.BLOCK) {
        int n = (int) Math.min(Runs.BLOCK, count - i);
        Runs.read(as, a.dtype(), (ai + i * aStep) * aBytes, aStep * aBytes, x, n);
        Runs.read(bs, b.dtype(), (bi + i * bStep) * bBytes, bStep * bBytes, y, n);
        for (int j = 0; j < n; j++) {
          if (!test.test(x[j], y[j])) {
            return false;
          }
        }
      }
      return true;
    };
  }
}
