package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * Folds a few elements one by one: less work than bringing blocks of them into arrays, as the other
 * kernels do. Gives the same bits as they.
 */
final class FewKernel implements Kernel {
  /** Up to so many elements it is the faster way. */
  static final int FEW = 16;

  private final DType dtype;
  private final Standard op;
  private final boolean scaled;

  private FewKernel(DType dtype, Standard op, boolean scaled) {
    this.dtype = dtype;
    this.op = op;
    this.scaled = scaled;
  }

  /** The kernel for few elements; null where there is none. */
  static FewKernel of(DType dtype, Standard op, boolean scaled) {
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
    return has ? new FewKernel(dtype, op, scaled) : null;
  }

  @Override
  public void run(Terms terms, MemorySegment out, long outAt, long from, long to, int divisor) {
    for (long i = from; i < to; i++) {
      switch (dtype) {
        case F32 -> out.set(JAVA_FLOAT_UNALIGNED, outAt + 4 * i, foldFloat(terms, 4 * i, divisor));
        case F64 ->
            out.set(JAVA_DOUBLE_UNALIGNED, outAt + 8 * i, foldDouble(terms, 8 * i, divisor));
        case I32 -> out.set(JAVA_INT_UNALIGNED, outAt + 4 * i, foldInt(terms, 4 * i));
        case I64 -> out.set(JAVA_LONG_UNALIGNED, outAt + 8 * i, foldLong(terms, 8 * i));
        default -> throw new AssertionError(dtype);
      }
    }
  }

  private float foldFloat(Terms terms, long at, int divisor) {
    float acc = 0;
    for (int k = 0; k < terms.count(); k++) {
      float next = terms.segment(k).get(JAVA_FLOAT_UNALIGNED, terms.at(k) + at);
      if (scaled) {
        next *= (float) terms.factor(k);
      }
      if (k == 0) {
        acc = next;
        continue;
      }
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
    return acc == acc ? acc : Float.NaN;
  }

  private double foldDouble(Terms terms, long at, int divisor) {
    double acc = 0;
    for (int k = 0; k < terms.count(); k++) {
      double next = terms.segment(k).get(JAVA_DOUBLE_UNALIGNED, terms.at(k) + at);
      if (scaled) {
        next *= terms.factor(k);
      }
      if (k == 0) {
        acc = next;
        continue;
      }
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
    return acc == acc ? acc : Double.NaN;
  }

  private int foldInt(Terms terms, long at) {
    int acc = terms.segment(0).get(JAVA_INT_UNALIGNED, terms.at(0) + at);
    for (int k = 1; k < terms.count(); k++) {
      int next = terms.segment(k).get(JAVA_INT_UNALIGNED, terms.at(k) + at);
      acc =
          switch (op) {
            case PRODUCT -> acc * next;
            case MIN -> Math.min(acc, next);
            case MAX -> Math.max(acc, next);
            default -> acc + next;
          };
    }
    return acc;
  }

  private long foldLong(Terms terms, long at) {
    long acc = terms.segment(0).get(JAVA_LONG_UNALIGNED, terms.at(0) + at);
    for (int k = 1; k < terms.count(); k++) {
      long next = terms.segment(k).get(JAVA_LONG_UNALIGNED, terms.at(k) + at);
      acc =
          switch (op) {
            case PRODUCT -> acc * next;
            case MIN -> Math.min(acc, next);
            case MAX -> Math.max(acc, next);
            default -> acc + next;
          };
    }
    return acc;
  }
}
