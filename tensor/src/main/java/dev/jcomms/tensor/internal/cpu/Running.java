package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;
import java.lang.ref.Reference;

/** Along a dimension: the largest or smallest so far, the most frequent, sums of exponentials. */
public final class Running {
  private Running() {}

  /** The largest so far and where it was last met. */
  public static Tensor[] cummax(Tensor self, long dim) {
    return extremes("cummax", self, dim, true);
  }

  /** The smallest so far and where it was last met. */
  public static Tensor[] cummin(Tensor self, long dim) {
    return extremes("cummin", self, dim, false);
  }

  private static Tensor[] extremes(String op, Tensor self, long dim, boolean largest) {
    int d = Refusals.dim(op, dim, self.shape().dims());
    DType dtype = numbers(op, self);
    Tensor from = Dense.of(self);
    int bytes = dtype.bytes();
    Axis axis = Axis.of(from.shape(), d);
    Tensor values = Tensor.empty(dtype, from.shape());
    Tensor indices = Tensor.empty(DType.I64, from.shape());
    for (long line = 0; line < axis.lines() && axis.size() > 0; line++) {
      long start = axis.start(line);
      long best = start;
      long bestKey = Sorting.key(dtype, Dense.address(from) + best * bytes);
      int where = 0;
      for (int i = 0; i < axis.size(); i++) {
        long at = start + i * axis.inner();
        long key = Sorting.key(dtype, Dense.address(from) + at * bytes);
        boolean broken = dtype.isFloating() && bestKey == Long.MAX_VALUE; // NaN, and it stays
        boolean taken =
            dtype.isFloating() && key == Long.MAX_VALUE
                || !broken && (largest ? key >= bestKey : key <= bestKey);
        if (taken) {
          best = at;
          bestKey = key;
          where = i;
        }
        Strided.move(bytes, Dense.address(from) + best * bytes, Dense.address(values) + at * bytes);
        Memory.put(Dense.address(indices) + at * 8, (long) where);
      }
    }
    Reference.reachabilityFence(from);
    return new Tensor[] {values, indices};
  }

  /** Of values that lie sorted, with their places: the one met most, the smallest of those. */
  public static Tensor[] mode(Tensor sorted, Tensor places, long dim) {
    int d = Refusals.dim("mode", dim, sorted.shape().dims());
    DType dtype = numbers("mode", sorted);
    Tensor from = Dense.of(sorted);
    Tensor origin = Dense.of(places);
    int bytes = dtype.bytes();
    Axis axis = Axis.of(from.shape(), d);
    long[] sizes = from.shape().toArray();
    if (sizes.length > 0) {
      sizes[d] = 1;
    }
    Tensor values = Tensor.empty(dtype, dev.jcomms.tensor.Shape.of(sizes));
    Tensor indices = Tensor.empty(DType.I64, values.shape());
    Axis out = new Axis(axis.outer(), 1, axis.inner());
    for (long line = 0; line < axis.lines(); line++) {
      long start = axis.start(line);
      int most = 0;
      long best = start;
      int run = 0;
      long before = 0;
      for (int i = 0; i < axis.size(); i++) {
        long at = start + i * axis.inner();
        long key = Sorting.key(dtype, Dense.address(from) + at * bytes);
        run = i > 0 && key == before ? run + 1 : 1;
        before = key;
        if (run > most || run == most && at == best + axis.inner() && run > 1) {
          most = run;
          best = at;
        }
      }
      long to = out.start(line);
      Strided.move(bytes, Dense.address(from) + best * bytes, Dense.address(values) + to * bytes);
      Strided.move(8, Dense.address(origin) + best * 8, Dense.address(indices) + to * 8);
    }
    Reference.reachabilityFence(from);
    Reference.reachabilityFence(origin);
    return new Tensor[] {values, indices};
  }

  /** The logarithm of the sum of exponentials so far. */
  public static Tensor logcumsumexp(Tensor self, long dim) {
    int d = Refusals.dim("logcumsumexp", dim, self.shape().dims());
    Refusals.floating("logcumsumexp", self);
    Tensor from = Dense.of(self);
    Tensor out = Tensor.empty(self.dtype(), self.shape());
    DType dtype = self.dtype();
    Axis axis = Axis.of(from.shape(), d);
    double[] x = new double[axis.size()];
    for (long line = 0; line < axis.lines() && x.length > 0; line++) {
      long at = axis.start(line) * dtype.bytes();
      Lines.read(Dense.address(from) + at, dtype, axis.inner(), x, x.length);
      double sum = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < x.length; i++) {
        double high = Math.max(sum, x[i]);
        sum =
            Double.isInfinite(high)
                ? high
                : high + Math.log1p(Math.exp(Math.min(sum, x[i]) - high));
        x[i] = sum;
      }
      Lines.write(x, Dense.address(out) + at, dtype, axis.inner(), x.length);
    }
    Reference.reachabilityFence(from);
    return out;
  }

  /** Where each value would go into a line of sorted ones; or one line for all. */
  public static Tensor searchsorted(Tensor sorted, Tensor values, boolean right) {
    Tensor lines = Dense.of(sorted);
    Tensor sought = Dense.of(values);
    DType dtype = sorted.dtype();
    int bytes = dtype.bytes();
    long length = sorted.shape().dims() == 0 ? 1 : sorted.shape().size(-1);
    long each =
        sorted.shape().dims() < 2
            ? Math.max(1, values.elements())
            : Math.max(1, values.shape().size(-1));
    Tensor out = Tensor.empty(DType.I64, values.shape());
    boolean floating = dtype.isFloating();
    for (long i = 0; i < values.elements(); i++) {
      long line = Dense.address(lines) + i / each * length * bytes;
      long value = Sorting.key(dtype, Dense.address(sought) + i * bytes);
      boolean nan = floating && value == Long.MAX_VALUE;
      long low = 0;
      long high = length;
      while (low < high) {
        long middle = (low + high) >>> 1;
        long key = Sorting.key(dtype, line + middle * bytes);
        boolean after = !nan && (right ? key > value : key >= value);
        if (floating && key == Long.MAX_VALUE) {
          after = false; // nothing compares with NaN
        }
        if (after) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      Memory.put(Dense.address(out) + i * 8, low);
    }
    Reference.reachabilityFence(lines);
    Reference.reachabilityFence(sought);
    return out;
  }

  private static DType numbers(String op, Tensor self) {
    DType dtype = self.dtype();
    if (dtype == DType.F8E4M3 || dtype == DType.F8E5M2) {
      throw Refusals.dtype(op, dtype);
    }
    return dtype;
  }
}
