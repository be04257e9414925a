package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * Folds rows one element after the other: for a few elements the least work there is. Gives the
 * same bits as the other kernels.
 *
 * <p>Reads by address through one segment that spans all memory. A constant, it is compiled to
 * plain loads and stores; any other segment, in code that has met heap and native ones, costs
 * virtual calls for each element.
 */
final class PlainRows implements RowKernel {
  @SuppressWarnings("restricted")
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private final DType dtype;
  private final Standard op;

  private PlainRows(DType dtype, Standard op) {
    this.dtype = dtype;
    this.op = op;
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
    for (int i = 0; i < elements; i++) {
      long at = 4L * i;
      float acc =
          EVERYTHING.get(JAVA_FLOAT_UNALIGNED, RowKernel.row(0, first, stride, mine, own) + at);
      for (int row = 1; row < rows; row++) {
        float next =
            EVERYTHING.get(JAVA_FLOAT_UNALIGNED, RowKernel.row(row, first, stride, mine, own) + at);
        acc =
            switch (op) {
              case PRODUCT -> acc * next;
              case MIN -> Math.min(acc, next);
              case MAX -> Math.max(acc, next);
              default -> acc + next;
            };
      }
      if (op == Standard.AVG) {
        acc /= divisor;
      }
      EVERYTHING.set(JAVA_FLOAT_UNALIGNED, out + at, acc == acc ? acc : Float.NaN);
    }
  }

  private void doubles(
      long first, long stride, int rows, int mine, long own, long out, int elements, int divisor) {
    for (int i = 0; i < elements; i++) {
      long at = 8L * i;
      double acc =
          EVERYTHING.get(JAVA_DOUBLE_UNALIGNED, RowKernel.row(0, first, stride, mine, own) + at);
      for (int row = 1; row < rows; row++) {
        double next =
            EVERYTHING.get(
                JAVA_DOUBLE_UNALIGNED, RowKernel.row(row, first, stride, mine, own) + at);
        acc =
            switch (op) {
              case PRODUCT -> acc * next;
              case MIN -> Math.min(acc, next);
              case MAX -> Math.max(acc, next);
              default -> acc + next;
            };
      }
      if (op == Standard.AVG) {
        acc /= divisor;
      }
      EVERYTHING.set(JAVA_DOUBLE_UNALIGNED, out + at, acc == acc ? acc : Double.NaN);
    }
  }

  private void ints(long first, long stride, int rows, int mine, long own, long out, int elements) {
    for (int i = 0; i < elements; i++) {
      long at = 4L * i;
      int acc = EVERYTHING.get(JAVA_INT_UNALIGNED, RowKernel.row(0, first, stride, mine, own) + at);
      for (int row = 1; row < rows; row++) {
        int next =
            EVERYTHING.get(JAVA_INT_UNALIGNED, RowKernel.row(row, first, stride, mine, own) + at);
        acc =
            switch (op) {
              case PRODUCT -> acc * next;
              case MIN -> Math.min(acc, next);
              case MAX -> Math.max(acc, next);
              default -> acc + next;
            };
      }
      EVERYTHING.set(JAVA_INT_UNALIGNED, out + at, acc);
    }
  }

  private void longs(
      long first, long stride, int rows, int mine, long own, long out, int elements) {
    for (int i = 0; i < elements; i++) {
      long at = 8L * i;
      long acc =
          EVERYTHING.get(JAVA_LONG_UNALIGNED, RowKernel.row(0, first, stride, mine, own) + at);
      for (int row = 1; row < rows; row++) {
        long next =
            EVERYTHING.get(JAVA_LONG_UNALIGNED, RowKernel.row(row, first, stride, mine, own) + at);
        acc =
            switch (op) {
              case PRODUCT -> acc * next;
              case MIN -> Math.min(acc, next);
              case MAX -> Math.max(acc, next);
              default -> acc + next;
            };
      }
      EVERYTHING.set(JAVA_LONG_UNALIGNED, out + at, acc);
    }
  }
}
