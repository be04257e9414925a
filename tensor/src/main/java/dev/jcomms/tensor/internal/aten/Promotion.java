package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;

/**
 * The dtype that operands are computed in, as PyTorch's {@code result_type} has it.
 *
 * <p>Tensors with dimensions come before 0-d tensors, and those before numbers: who comes later
 * changes the dtype only if it is of a higher kind (boolean, integer, float).
 */
final class Promotion {
  private Promotion() {}

  static DType of(Tensor a) {
    return a.dtype();
  }

  static DType of(Tensor a, Tensor b) {
    return a.dtype() == b.dtype() ? a.dtype() : of(new Tensor[] {a, b});
  }

  static DType of(Tensor... operands) {
    return of(operands, new Scalar[0]);
  }

  static DType of(Tensor a, Scalar b) {
    return of(new Tensor[] {a}, new Scalar[] {b});
  }

  /** Null among the operands counts for nothing. */
  static DType of(Tensor[] tensors, Scalar[] scalars) {
    DType sized = null;
    DType single = null;
    DType number = null;
    for (Tensor t : tensors) {
      if (t == null) {
        continue;
      }
      if (t.shape().dims() > 0) {
        sized = both(sized, t.dtype());
      } else {
        single = both(single, t.dtype());
      }
    }
    for (Scalar s : scalars) {
      if (s != null) {
        number = both(number, natural(s));
      }
    }
    return before(sized, before(single, number));
  }

  /** The dtype that a number has by itself. */
  static DType natural(Scalar s) {
    return s.isFloating() ? DType.F32 : s.isIntegral() ? DType.I64 : DType.BOOL;
  }

  private static DType before(DType first, DType later) {
    if (first == null || later == null) {
      return first == null ? later : first;
    }
    if (first.isFloating()) {
      return first;
    }
    return first == DType.BOOL || later.isFloating() ? promote(first, later) : first;
  }

  private static DType both(DType a, DType b) {
    return a == null ? b : promote(a, b);
  }

  /** The smallest dtype that holds both, but for whole numbers, which become any float. */
  static DType promote(DType a, DType b) {
    if (a == b) {
      return a;
    }
    if (isEighth(a) || isEighth(b)) {
      throw new IllegalArgumentException(
          "Promotion for Float8 Types is not supported, attempted to promote " + a + " and " + b);
    }
    if (a.isFloating() || b.isFloating()) {
      if (!a.isFloating() || !b.isFloating()) {
        return a.isFloating() ? a : b;
      }
      if (a.bytes() == b.bytes()) {
        return DType.F32; // f16 and bf16
      }
      return a.bytes() > b.bytes() ? a : b;
    }
    if (a == DType.BOOL || b == DType.BOOL) {
      return a == DType.BOOL ? b : a;
    }
    if (a.bytes() == b.bytes()) {
      return DType.I16; // u8 and i8
    }
    return a.bytes() > b.bytes() ? a : b;
  }

  /** What whole numbers become where an operator gives fractions. */
  static DType toFloat(DType dtype) {
    return dtype.isFloating() ? dtype : DType.F32;
  }

  static boolean isEighth(DType dtype) {
    return dtype == DType.F8E4M3 || dtype == DType.F8E5M2;
  }
}
