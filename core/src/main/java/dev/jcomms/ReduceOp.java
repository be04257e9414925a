package dev.jcomms;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Tensor;

/**
 * How a reduction combines the elements of the ranks: one of the constants, or {@link #premulSum}.
 *
 * <p>Values are immutable. Reductions of f16 and bf16 accumulate in f32; the average of integers
 * truncates toward zero; minimum and maximum propagate NaN.
 */
public sealed interface ReduceOp {
  // No default methods here: with one, Standard could not be initialised without this interface,
  // nor this interface without Standard. Two threads that begin at either end would wait for each
  // other, and one that begins with Standard would leave null in these constants.
  ReduceOp SUM = Standard.SUM;
  ReduceOp PRODUCT = Standard.PRODUCT;
  ReduceOp MIN = Standard.MIN;
  ReduceOp MAX = Standard.MAX;
  ReduceOp BAND = Standard.BAND;
  ReduceOp BOR = Standard.BOR;
  ReduceOp BXOR = Standard.BXOR;
  ReduceOp AVG = Standard.AVG;

  /** The operations without a parameter. */
  enum Standard implements ReduceOp {
    SUM,
    PRODUCT,
    MIN,
    MAX,
    BAND,
    BOR,
    BXOR,
    AVG;

    private final String opName = name().toLowerCase(java.util.Locale.ROOT);

    @Override
    public String opName() {
      return opName;
    }

    @Override
    public boolean accepts(DType dtype) {
      return !isTiny(dtype)
          && switch (this) {
            case BAND, BOR, BXOR -> !dtype.isFloating();
            case AVG -> dtype != DType.BOOL;
            case SUM, PRODUCT, MIN, MAX -> true;
          };
    }
  }

  /** A sum in which every rank's elements are first multiplied by that rank's factor. */
  record PremulSum(double factor) implements ReduceOp {
    @Override
    public String opName() {
      return "premul_sum";
    }

    @Override
    public boolean accepts(DType dtype) {
      return dtype.isFloating() && !isTiny(dtype);
    }
  }

  /** Eight bits hold values to be moved, not sums. */
  private static boolean isTiny(DType dtype) {
    return dtype == DType.F8E4M3 || dtype == DType.F8E5M2;
  }

  /** The name in text, JSON and hints: {@code sum}, {@code premul_sum}. */
  String opName();

  /** A sum whose input is multiplied by {@code factor} first. */
  static ReduceOp premulSum(double factor) {
    return new PremulSum(factor);
  }

  /** A sum whose input is multiplied by the one element of {@code factor}, which is read now. */
  static ReduceOp premulSum(Tensor factor) {
    if (factor.elements() != 1) {
      throw new IllegalArgumentException(
          "premul_sum: factor has elements=" + factor.elements() + "; it needs 1");
    }
    return new PremulSum(factor.toDoubleArray()[0]);
  }

  /** The operation of a name such as {@code sum} or {@code AVG}. */
  static ReduceOp parse(String name) {
    for (Standard op : Standard.values()) {
      if (op.opName().equalsIgnoreCase(name)) {
        return op;
      }
    }
    throw new IllegalArgumentException(
        "no reduce op named '"
            + name
            + "'; there are sum, product, min, max, band, bor, bxor, avg");
  }

  /** Whether the operation is defined on elements of this type. */
  boolean accepts(DType dtype);
}
