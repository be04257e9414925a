package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: comparisons, choices, limits, bits. */
abstract sealed class LogicOps extends ArithmeticOps permits ActivationOps {
  private static final MethodHandle EQ = handle("aten::eq.Tensor");
  private static final MethodHandle EQ_SCALAR = handle("aten::eq.Scalar");
  private static final MethodHandle NE = handle("aten::ne.Tensor");
  private static final MethodHandle NE_SCALAR = handle("aten::ne.Scalar");
  private static final MethodHandle LT = handle("aten::lt.Tensor");
  private static final MethodHandle LT_SCALAR = handle("aten::lt.Scalar");
  private static final MethodHandle LE = handle("aten::le.Tensor");
  private static final MethodHandle LE_SCALAR = handle("aten::le.Scalar");
  private static final MethodHandle GT = handle("aten::gt.Tensor");
  private static final MethodHandle GT_SCALAR = handle("aten::gt.Scalar");
  private static final MethodHandle GE = handle("aten::ge.Tensor");
  private static final MethodHandle GE_SCALAR = handle("aten::ge.Scalar");
  private static final MethodHandle LOGICAL_AND = handle("aten::logical_and");
  private static final MethodHandle LOGICAL_OR = handle("aten::logical_or");
  private static final MethodHandle LOGICAL_XOR = handle("aten::logical_xor");
  private static final MethodHandle BITWISE_AND = handle("aten::bitwise_and.Tensor");
  private static final MethodHandle BITWISE_OR = handle("aten::bitwise_or.Tensor");
  private static final MethodHandle BITWISE_XOR = handle("aten::bitwise_xor.Tensor");
  private static final MethodHandle BITWISE_LEFT_SHIFT = handle("aten::bitwise_left_shift.Tensor");
  private static final MethodHandle BITWISE_RIGHT_SHIFT =
      handle("aten::bitwise_right_shift.Tensor");
  private static final MethodHandle WHERE = handle("aten::where.self");
  private static final MethodHandle CLAMP = handle("aten::clamp");
  private static final MethodHandle CLAMP_MIN = handle("aten::clamp_min");
  private static final MethodHandle CLAMP_MAX = handle("aten::clamp_max");
  private static final MethodHandle CLAMP_ = handle("aten::clamp_");
  private static final MethodHandle CLAMP_MIN_ = handle("aten::clamp_min_");
  private static final MethodHandle CLAMP_MAX_ = handle("aten::clamp_max_");
  private static final MethodHandle CLAMP_TENSOR = handle("aten::clamp.Tensor");
  private static final MethodHandle ISCLOSE = handle("aten::isclose");
  private static final MethodHandle ALLCLOSE = handle("aten::allclose");
  private static final MethodHandle EQUAL = handle("aten::equal");

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
      return (Tensor) CLAMP.invokeExact(self, min, max);
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
      return (Tensor) CLAMP_.invokeExact(self, min, max);
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
      return (Tensor) ISCLOSE.invokeExact(self, other, rtol, atol, equalNan);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static boolean allclose(
      Tensor self, Tensor other, double rtol, double atol, boolean equalNan) {
    try {
      return (boolean) ALLCLOSE.invokeExact(self, other, rtol, atol, equalNan);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static boolean equal(Tensor self, Tensor other) {
    try {
      return (boolean) EQUAL.invokeExact(self, other);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
