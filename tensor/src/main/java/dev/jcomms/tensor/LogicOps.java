package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: comparisons, choices, limits, bits. */
abstract sealed class LogicOps extends ArithmeticOps permits ActivationOps {
  private static final Operator EQ = operator("aten::eq.Tensor");
  private static final Operator EQ_SCALAR = operator("aten::eq.Scalar");
  private static final Operator NE = operator("aten::ne.Tensor");
  private static final Operator NE_SCALAR = operator("aten::ne.Scalar");
  private static final Operator LT = operator("aten::lt.Tensor");
  private static final Operator LT_SCALAR = operator("aten::lt.Scalar");
  private static final Operator LE = operator("aten::le.Tensor");
  private static final Operator LE_SCALAR = operator("aten::le.Scalar");
  private static final Operator GT = operator("aten::gt.Tensor");
  private static final Operator GT_SCALAR = operator("aten::gt.Scalar");
  private static final Operator GE = operator("aten::ge.Tensor");
  private static final Operator GE_SCALAR = operator("aten::ge.Scalar");
  private static final Operator LOGICAL_AND = operator("aten::logical_and");
  private static final Operator LOGICAL_OR = operator("aten::logical_or");
  private static final Operator LOGICAL_XOR = operator("aten::logical_xor");
  private static final Operator BITWISE_AND = operator("aten::bitwise_and.Tensor");
  private static final Operator BITWISE_OR = operator("aten::bitwise_or.Tensor");
  private static final Operator BITWISE_XOR = operator("aten::bitwise_xor.Tensor");
  private static final Operator BITWISE_LEFT_SHIFT = operator("aten::bitwise_left_shift.Tensor");
  private static final Operator BITWISE_RIGHT_SHIFT = operator("aten::bitwise_right_shift.Tensor");
  private static final Operator WHERE = operator("aten::where.self");
  private static final Operator CLAMP = operator("aten::clamp");
  private static final Operator CLAMP_MIN = operator("aten::clamp_min");
  private static final Operator CLAMP_MAX = operator("aten::clamp_max");
  private static final Operator CLAMP_ = operator("aten::clamp_");
  private static final Operator CLAMP_MIN_ = operator("aten::clamp_min_");
  private static final Operator CLAMP_MAX_ = operator("aten::clamp_max_");
  private static final Operator CLAMP_TENSOR = operator("aten::clamp.Tensor");
  private static final Operator ISCLOSE = operator("aten::isclose");
  private static final Operator ALLCLOSE = operator("aten::allclose");
  private static final Operator EQUAL = operator("aten::equal");

  LogicOps() {}

  public static Tensor eq(Tensor self, Tensor other) {
    return binary(EQ, self, other);
  }

  public static Tensor eq(Tensor self, Scalar other) {
    return withScalar(EQ_SCALAR, self, other);
  }

  public static Tensor ne(Tensor self, Tensor other) {
    return binary(NE, self, other);
  }

  public static Tensor ne(Tensor self, Scalar other) {
    return withScalar(NE_SCALAR, self, other);
  }

  public static Tensor lt(Tensor self, Tensor other) {
    return binary(LT, self, other);
  }

  public static Tensor lt(Tensor self, Scalar other) {
    return withScalar(LT_SCALAR, self, other);
  }

  public static Tensor le(Tensor self, Tensor other) {
    return binary(LE, self, other);
  }

  public static Tensor le(Tensor self, Scalar other) {
    return withScalar(LE_SCALAR, self, other);
  }

  public static Tensor gt(Tensor self, Tensor other) {
    return binary(GT, self, other);
  }

  public static Tensor gt(Tensor self, Scalar other) {
    return withScalar(GT_SCALAR, self, other);
  }

  public static Tensor ge(Tensor self, Tensor other) {
    return binary(GE, self, other);
  }

  public static Tensor ge(Tensor self, Scalar other) {
    return withScalar(GE_SCALAR, self, other);
  }

  public static Tensor logicalAnd(Tensor self, Tensor other) {
    return binary(LOGICAL_AND, self, other);
  }

  public static Tensor logicalOr(Tensor self, Tensor other) {
    return binary(LOGICAL_OR, self, other);
  }

  public static Tensor logicalXor(Tensor self, Tensor other) {
    return binary(LOGICAL_XOR, self, other);
  }

  public static Tensor bitwiseAnd(Tensor self, Tensor other) {
    return binary(BITWISE_AND, self, other);
  }

  public static Tensor bitwiseOr(Tensor self, Tensor other) {
    return binary(BITWISE_OR, self, other);
  }

  public static Tensor bitwiseXor(Tensor self, Tensor other) {
    return binary(BITWISE_XOR, self, other);
  }

  public static Tensor bitwiseLeftShift(Tensor self, Tensor other) {
    return binary(BITWISE_LEFT_SHIFT, self, other);
  }

  public static Tensor bitwiseRightShift(Tensor self, Tensor other) {
    return binary(BITWISE_RIGHT_SHIFT, self, other);
  }

  /** Where the condition is true, {@code self}; else {@code other}. */
  public static Tensor where(Tensor condition, Tensor self, Tensor other) {
    return ternary(WHERE, condition, self, other);
  }

  /** A limit that is null is none. */
  public static Tensor clamp(Tensor self, Scalar min, Scalar max) {
    try {
      return (Tensor) CLAMP.kernelFor(self).invokeExact(self, min, max);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor clampMin(Tensor self, Scalar min) {
    return withScalar(CLAMP_MIN, self, min);
  }

  public static Tensor clampMax(Tensor self, Scalar max) {
    return withScalar(CLAMP_MAX, self, max);
  }

  /** A limit that is null is none. */
  public static Tensor clamp_(Tensor self, Scalar min, Scalar max) {
    try {
      return (Tensor) CLAMP_.kernelFor(self).invokeExact(self, min, max);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor clampMin_(Tensor self, Scalar min) {
    return withScalar(CLAMP_MIN_, self, min);
  }

  public static Tensor clampMax_(Tensor self, Scalar max) {
    return withScalar(CLAMP_MAX_, self, max);
  }

  public static Tensor clamp(Tensor self, Tensor min, Tensor max) {
    return ternary(CLAMP_TENSOR, self, min, max);
  }

  public static Tensor isclose(
      Tensor self, Tensor other, double rtol, double atol, boolean equalNan) {
    try {
      return (Tensor) ISCLOSE.kernelFor(self, other).invokeExact(self, other, rtol, atol, equalNan);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static boolean allclose(
      Tensor self, Tensor other, double rtol, double atol, boolean equalNan) {
    try {
      return (boolean)
          ALLCLOSE.kernelFor(self, other).invokeExact(self, other, rtol, atol, equalNan);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static boolean equal(Tensor self, Tensor other) {
    try {
      return (boolean) EQUAL.kernelFor(self, other).invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
