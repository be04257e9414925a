package dev.jcomms.jccl.internal.algo.tcp;

import dev.jcomms.ReduceOp;
import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;

/**
 * Elements whose reduction is exact in whatever order it is done, and what it must give: worked out
 * with whole numbers, one element at a time.
 */
record Reckoning(DType dtype, ReduceOp op, int size) {

  /** This rank's factor in a premul_sum: halves and doubles are exact. */
  static double factor(int rank) {
    return rank % 2 == 0 ? 0.5 : 2;
  }

  /**
   * Small and different, but for f16 and bf16: there one rank has a number so large that adding the
   * others one by one, rounding each time, would lose them.
   */
  private long value(int rank, long i) {
    if (dtype == DType.BOOL) {
      return (rank + i) % 3 == 0 ? 1 : 0;
    }
    if (op == ReduceOp.PRODUCT) {
      return (rank + i) % 4 == 0 ? 2 : 1;
    }
    boolean sum = op == ReduceOp.SUM || op == ReduceOp.AVG;
    if (sum && rank == i % size && dtype == DType.F16) {
      return 2048;
    }
    if (sum && rank == i % size && dtype == DType.BF16) {
      return 256;
    }
    long small = (rank * 5L + i * 3) % 13;
    return dtype == DType.U8 || !dtype.isFloating() && isBits() ? small : 2 * (small - 6);
  }

  private boolean isBits() {
    return op == ReduceOp.BAND || op == ReduceOp.BOR || op == ReduceOp.BXOR;
  }

  /** Elements repeat after so many: a prime, so that no chunk has the elements of another. */
  private static final int PERIOD = 9973;

  /** This rank's elements, from one of an endless row on. */
  Tensor input(int rank, long first, long length) {
    Tensor tensor = Tensor.zeros(dtype, Shape.of(length));
    for (long i = 0; i < Math.min(PERIOD, length); i++) {
      tensor.setLong(value(rank, (first + i) % PERIOD), i);
    }
    long period = (long) PERIOD * dtype.bytes();
    for (long at = period; at < tensor.bytes(); at += period) {
      long bytes = Math.min(period, tensor.bytes() - at);
      MemorySegment.copy(tensor.segment(), 0, tensor.segment(), at, bytes);
    }
    return tensor;
  }

  void assertResult(String what, Tensor result, long first) {
    Tensor expected = Tensor.zeros(dtype, Shape.of(Math.min(PERIOD, result.elements())));
    for (long i = 0; i < expected.elements(); i++) {
      expected.setDouble(reduce((first + i) % PERIOD), i);
    }
    long period = (long) PERIOD * dtype.bytes();
    for (long at = 0; at < result.bytes(); at += period) {
      long end = Math.min(result.bytes(), at + period);
      long wrong =
          MemorySegment.mismatch(result.segment(), at, end, expected.segment(), 0, end - at);
      if (wrong >= 0) {
        long i = wrong / dtype.bytes();
        throw new AssertionError(
            "%s of %s by %s among %d: element %d of %d is %s, not %s"
                .formatted(
                    op.opName(),
                    dtype,
                    what,
                    size,
                    at / dtype.bytes() + i,
                    result.elements(),
                    result.getDouble(at / dtype.bytes() + i),
                    expected.getDouble(i)));
      }
    }
  }

  private double reduce(long i) {
    if (op instanceof ReduceOp.PremulSum) {
      double sum = 0;
      for (int r = 0; r < size; r++) {
        sum += factor(r) * value(r, i);
      }
      return sum;
    }
    long acc = value(0, i);
    for (int r = 1; r < size; r++) {
      long next = value(r, i);
      acc =
          switch ((Standard) op) {
            case SUM, AVG -> acc + next;
            case PRODUCT -> acc * next;
            case MIN -> Math.min(acc, next);
            case MAX -> Math.max(acc, next);
            case BAND -> acc & next;
            case BOR -> acc | next;
            case BXOR -> acc ^ next;
          };
    }
    if (dtype == DType.BOOL) {
      return acc == 0 ? 0 : 1;
    }
    if (op != ReduceOp.AVG) {
      return acc;
    }
    return dtype.isFloating() ? average(acc) : acc / size;
  }

  /** Divided where it is accumulated. */
  private double average(long sum) {
    return dtype == DType.F64 ? (double) sum / size : (float) sum / size;
  }
}
