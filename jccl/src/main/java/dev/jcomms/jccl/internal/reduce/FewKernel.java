package dev.jcomms.jccl.internal.reduce;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.jcomms.ReduceOp.Standard;
import dev.jcomms.tensor.DType;
import java.lang.foreign.MemorySegment;

/**
 * Folds a few elements of native memory one by one: less work than bringing blocks of them into
 * arrays, as the other kernels do. Gives the same bits as they.
 *
 * <p>Reads by address through one segment that spans all memory. A constant, it is compiled to
 * plain loads and stores; any other segment, in code that has met heap and native ones, costs
 * virtual calls for each element. So who calls it has made sure that the memory is there.
 */
final class FewKernel implements Kernel {
  /** Up to so many elements it is the faster way. */
  static final int FEW = 8;

  @SuppressWarnings("restricted")
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

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

  /** Whether all memory is native and there. */
  static boolean fits(Terms terms, MemorySegment out) {
    boolean fits = out.isNative() && out.scope().isAlive();
    MemorySegment seen = out;
    for (int k = 0; fits && k < terms.count(); k++) {
      MemorySegment segment = terms.segment(k);
      if (segment != seen) {
        fits = segment.isNative() && segment.scope().isAlive();
        seen = segment;
      }
    }
    return fits;
  }

  @Override
  public void run(Terms terms, MemorySegment out, long outAt, long from, long to, int divisor) {
    long target = out.address() + outAt;
    for (long i = from; i < to; i++) {
      switch (dtype) {
        case F32 -> foldFloat(terms, 4 * i, divisor, target + 4 * i);
        case F64 -> foldDouble(terms, 8 * i, divisor, target + 8 * i);
        case I32 -> foldInt(terms, 4 * i, target + 4 * i);
        case I64 -> foldLong(terms, 8 * i, target + 8 * i);
        default -> throw new AssertionError(dtype);
      }
    }
  }

  private void foldFloat(Terms terms, long at, int divisor, long target) {
    float acc = 0;
    for (int k = 0; k < terms.count(); k++) {
      float next = EVERYTHING.get(JAVA_FLOAT_UNALIGNED, terms.address(k) + at);
      if (scaled) {
        next *= (float) terms.factor(k);
      }
      acc =
          k == 0
              ? next
              : switch (op) {
                case PRODUCT -> acc * next;
                case MIN -> Math.min(acc, next);
                case MAX -> Math.max(acc, next);
                default -> acc + next;
              };
    }
    if (op == Standard.AVG) {
      acc /= divisor;
    }
    EVERYTHING.set(JAVA_FLOAT_UNALIGNED, target, acc == acc ? acc : Float.NaN);
  }

  private void foldDouble(Terms terms, long at, int divisor, long target) {
    double acc = 0;
    for (int k = 0; k < terms.count(); k++) {
      double next = EVERYTHING.get(JAVA_DOUBLE_UNALIGNED, terms.address(k) + at);
      if (scaled) {
        next *= terms.factor(k);
      }
      acc =
          k == 0
              ? next
              : switch (op) {
                case PRODUCT -> acc * next;
                case MIN -> Math.min(acc, next);
                case MAX -> Math.max(acc, next);
                default -> acc + next;
              };
    }
    if (op == Standard.AVG) {
      acc /= divisor;
    }
    EVERYTHING.set(JAVA_DOUBLE_UNALIGNED, target, acc == acc ? acc : Double.NaN);
  }

  private void foldInt(Terms terms, long at, long target) {
    int acc = EVERYTHING.get(JAVA_INT_UNALIGNED, terms.address(0) + at);
    for (int k = 1; k < terms.count(); k++) {
      int next = EVERYTHING.get(JAVA_INT_UNALIGNED, terms.address(k) + at);
      acc =
          switch (op) {
            case PRODUCT -> acc * next;
            case MIN -> Math.min(acc, next);
            case MAX -> Math.max(acc, next);
            default -> acc + next;
          };
    }
    EVERYTHING.set(JAVA_INT_UNALIGNED, target, acc);
  }

  private void foldLong(Terms terms, long at, long target) {
    long acc = EVERYTHING.get(JAVA_LONG_UNALIGNED, terms.address(0) + at);
    for (int k = 1; k < terms.count(); k++) {
      long next = EVERYTHING.get(JAVA_LONG_UNALIGNED, terms.address(k) + at);
      acc =
          switch (op) {
            case PRODUCT -> acc * next;
            case MIN -> Math.min(acc, next);
            case MAX -> Math.max(acc, next);
            default -> acc + next;
          };
    }
    EVERYTHING.set(JAVA_LONG_UNALIGNED, target, acc);
  }
}
