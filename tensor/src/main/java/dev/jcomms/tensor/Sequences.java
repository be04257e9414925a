package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.Runs;

/** Values computed from their position: ranges and random numbers. */
final class Sequences {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private Sequences() {}

  private interface DoubleAt {
    double at(long i);
  }

  private interface LongAt {
    long at(long i);
  }

  static Tensor arange(DType dtype, long start, long end, long step) {
    checkRange(start, end, step, step == 0 || (step > 0 ? start > end : start < end));
    // Unsigned, because the distance between two longs may need 64 bits.
    long distance = step > 0 ? end - start : start - end;
    long stride = Math.abs(step);
    long elements =
        Long.divideUnsigned(distance, stride)
            + (Long.remainderUnsigned(distance, stride) == 0 ? 0 : 1);
    return longs(Tensor.empty(dtype, Shape.of(elements)), i -> start + i * step);
  }

  static Tensor arange(DType dtype, double start, double end, double step) {
    boolean finite = Double.isFinite(start) && Double.isFinite(end) && Double.isFinite(step);
    checkRange(start, end, step, !finite || step == 0 || (step > 0 ? start > end : start < end));
    Shape shape = Shape.of((long) Math.ceil((end - start) / step));
    return doubles(Tensor.empty(dtype, shape), i -> start + i * step);
  }

  private static void checkRange(Object start, Object end, Object step, boolean wrong) {
    if (wrong) {
      throw new IllegalArgumentException(
          "arange: step=" + step + " does not lead from start=" + start + " to end=" + end);
    }
  }

  /** See {@link Tensor#random}: each element depends on the seed and its position only. */
  static Tensor random(DType dtype, Shape shape, long seed) {
    Tensor t = Tensor.empty(dtype, shape);
    int bits =
        switch (dtype) {
          case F64 -> 53;
          case F32 -> 24;
          case F16 -> 11;
          case BF16 -> 8;
          case F8E4M3 -> 4;
          case F8E5M2 -> 3;
          case I64, I32, I16, I8, U8 -> 4;
          case BOOL -> 1;
        };
    if (dtype.isFloating()) {
      return doubles(t, i -> Math.scalb((double) (mix(seed, i) >>> (64 - bits)), -bits));
    }
    long lowest = dtype == DType.U8 || dtype == DType.BOOL ? 0 : -8;
    return longs(t, i -> (mix(seed, i) >>> (64 - bits)) + lowest);
  }

  /** Box and Muller's method on two independent uniforms; StrictMath, so all machines agree. */
  static Tensor randn(DType dtype, Shape shape, long seed) {
    if (!dtype.isFloating()) {
      throw new IllegalArgumentException("randn needs a floating dtype; asked for " + dtype);
    }
    return doubles(
        Tensor.empty(dtype, shape),
        i -> {
          double radius = 1 - Math.scalb((double) (mix(seed, 2 * i) >>> 11), -53); // never zero
          double angle = Math.scalb((double) (mix(seed, 2 * i + 1) >>> 11), -53);
          return StrictMath.sqrt(-2 * StrictMath.log(radius)) * StrictMath.cos(2 * Math.PI * angle);
        });
  }

  /** SplitMix64's output number {@code i} for this seed. */
  private static long mix(long seed, long i) {
    long z = seed + (i + 1) * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  private static Tensor doubles(Tensor t, DoubleAt values) {
    double[] block = new double[(int) Math.min(Runs.BLOCK, t.elements())];
    int bytes = t.dtype().bytes();
    for (long i = 0; i < t.elements(); i += block.length) {
      int n = (int) Math.min(block.length, t.elements() - i);
      for (int j = 0; j < n; j++) {
        block[j] = values.at(i + j);
      }
      Runs.write(t.segment(), t.dtype(), i * bytes, bytes, block, n);
    }
    return t;
  }

  private static Tensor longs(Tensor t, LongAt values) {
    long[] block = new long[(int) Math.min(Runs.BLOCK, t.elements())];
    int bytes = t.dtype().bytes();
    for (long i = 0; i < t.elements(); i += block.length) {
      int n = (int) Math.min(block.length, t.elements() - i);
      for (int j = 0; j < n; j++) {
        block[j] = values.at(i + j);
      }
      Runs.write(t.segment(), t.dtype(), i * bytes, bytes, block, n);
    }
    return t;
  }
}
