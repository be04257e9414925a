package dev.jcomms.jccl.internal.reduce;

import static dev.jcomms.jccl.internal.memory.Everything.EVERYTHING;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;

/**
 * Folds rows one element after the other: for a few elements the least work there is. Gives the
 * same bits as the other kernels.
 *
 * <p>Most often there are two, so the second is not left to the loop.
 */
final class PlainRows implements RowKernel {
  private final DType dtype;
  private final Standard op;
  private final boolean adds;
  private final boolean averages;

  private PlainRows(DType dtype, Standard op) {
    this.dtype = dtype;
    this.op = op;
    this.averages = op == Standard.AVG;
    this.adds = op == Standard.SUM || averages;
  }

  /** The kernel of a dtype and an operation; null where there is none. */
  static PlainRows of(DType dtype, Standard op) {
    boolean has =
        switch (op) {
          case SUM, PRODUCT, MIN, MAX ->
              switch (dtype) {
                case F32, F64, I32, I64 -> true;
                default -> false;
              };
          case AVG -> dtype == DType.F32 || dtype == DType.F64;
          case BAND, BOR, BXOR -> false;
        };
    return has ? new PlainRows(dtype, op) : null;
  }

  @Override
  public void run(
      long first, long stride, int rows, int mine, long own, long out, int elements, int divisor) {
    switch (dtype) {
      case F32 -> floats(first, stride, rows, mine, own, out, elements, divisor);
      case F64 -> doubles(first, stride, rows, mine, own, out, elements, divisor);
      case I32 -> ints(first, stride, rows, mine, own, out, elements);
      case I64 -> longs(first, stride, rows, mine, own, out, elements);
      default -> throw new AssertionError(dtype);
    }
  }

  private void floats(
      long first, long stride, int rows, int mine, long own, long out, int elements, int divisor) {
    long second = RowKernel.row(1, first, stride, mine, own);
    long start = RowKernel.row(0, first, stride, mine, own);
    for (int i = 0; i < elements; i++) {
      long at = 4L * i;
      float acc = EVERYTHING.get(JAVA_FLOAT_UNALIGNED, start + at);
      if (rows > 1) {
        acc = join(acc, EVERYTHING.get(JAVA_FLOAT_UNALIGNED, second + at));
      }
      for (int row = 2; row < rows; row++) {
        long other = RowKernel.row(row, first, stride, mine, own);
        acc = join(acc, EVERYTHING.get(JAVA_FLOAT_UNALIGNED, other + at));
      }
      if (averages) {
        acc /= divisor;
      }
      EVERYTHING.set(JAVA_FLOAT_UNALIGNED, out + at, acc == acc ? acc : Float.NaN);
    }
  }

  private float join(float a, float b) {
    return adds ? a + b : joinOtherwise(a, b);
  }

  private float joinOtherwise(float a, float b) {
    return switch (op) {
      case PRODUCT -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      default -> throw new AssertionError(op);
    };
  }

  private void doubles(
      long first, long stride, int rows, int mine, long own, long out, int elements, int divisor) {
    long second = RowKernel.row(1, first, stride, mine, own);
    long start = RowKernel.row(0, first, stride, mine, own);
    for (int i = 0; i < elements; i++) {
      long at = 8L * i;
      double acc = EVERYTHING.get(JAVA_DOUBLE_UNALIGNED, start + at);
      if (rows > 1) {
        acc = join(acc, EVERYTHING.get(JAVA_DOUBLE_UNALIGNED, second + at));
      }
      for (int row = 2; row < rows; row++) {
        long other = RowKernel.row(row, first, stride, mine, own);
        acc = join(acc, EVERYTHING.get(JAVA_DOUBLE_UNALIGNED, other + at));
      }
      if (averages) {
        acc /= divisor;
      }
      EVERYTHING.set(JAVA_DOUBLE_UNALIGNED, out + at, acc == acc ? acc : Double.NaN);
    }
  }

  private double join(double a, double b) {
    return adds ? a + b : joinOtherwise(a, b);
  }

  private double joinOtherwise(double a, double b) {
    return switch (op) {
      case PRODUCT -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      default -> throw new AssertionError(op);
    };
  }

  private void ints(long first, long stride, int rows, int mine, long own, long out, int elements) {
    long second = RowKernel.row(1, first, stride, mine, own);
    long start = RowKernel.row(0, first, stride, mine, own);
    for (int i = 0; i < elements; i++) {
      long at = 4L * i;
      int acc = EVERYTHING.get(JAVA_INT_UNALIGNED, start + at);
      if (rows > 1) {
        acc = join(acc, EVERYTHING.get(JAVA_INT_UNALIGNED, second + at));
      }
      for (int row = 2; row < rows; row++) {
        long other = RowKernel.row(row, first, stride, mine, own);
        acc = join(acc, EVERYTHING.get(JAVA_INT_UNALIGNED, other + at));
      }
      EVERYTHING.set(JAVA_INT_UNALIGNED, out + at, acc);
    }
  }

  private int join(int a, int b) {
    return adds ? a + b : joinOtherwise(a, b);
  }

  private int joinOtherwise(int a, int b) {
    return switch (op) {
      case PRODUCT -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      default -> throw new AssertionError(op);
    };
  }

  private void longs(
      long first, long stride, int rows, int mine, long own, long out, int elements) {
    long second = RowKernel.row(1, first, stride, mine, own);
    long start = RowKernel.row(0, first, stride, mine, own);
    for (int i = 0; i < elements; i++) {
      long at = 8L * i;
      long acc = EVERYTHING.get(JAVA_LONG_UNALIGNED, start + at);
      if (rows > 1) {
        acc = join(acc, EVERYTHING.get(JAVA_LONG_UNALIGNED, second + at));
      }
      for (int row = 2; row < rows; row++) {
        long other = RowKernel.row(row, first, stride, mine, own);
        acc = join(acc, EVERYTHING.get(JAVA_LONG_UNALIGNED, other + at));
      }
      EVERYTHING.set(JAVA_LONG_UNALIGNED, out + at, acc);
    }
  }

  private long join(long a, long b) {
    return adds ? a + b : joinOtherwise(a, b);
  }

  private long joinOtherwise(long a, long b) {
    return switch (op) {
      case PRODUCT -> a * b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      default -> throw new AssertionError(op);
    };
  }
}
